import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Checkpoints } from "@harness/core";
import type { Clock } from "@harness/gate";
import { openCheckpoints } from "@harness/storage";
import { walkedFiles } from "@harness/tools";
import type { Figure } from "./figures.ts";
import { freshPlace } from "./headless.ts";

const FOLDERS = 500;
const FILES_EACH = 20;
const SECOND_FOLDER = join("d1", "f1.ts");

const clock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: async (ms) => void (await sleep(ms)),
};

/** 10,000 files of 3 kB each. */
function writeProject(root: string): void {
  for (let folder = 0; folder < FOLDERS; folder += 1) {
    mkdirSync(join(root, `d${folder}`), { recursive: true });
    for (let file = 0; file < FILES_EACH; file += 1) {
      writeFileSync(join(root, `d${folder}`, `f${file}.ts`), `export const x${folder} = ${file};\n`.repeat(130));
    }
  }
}

async function timed<T extends object>(
  work: () => Promise<T | { problem: string }>,
): Promise<{ ms: number; value: T }> {
  const startedMs = performance.now();
  const value = await work();
  if ("problem" in value) throw new Error(value.problem);
  return { ms: performance.now() - startedMs, value };
}

type Runs = Record<"first" | "unchanged" | "touched" | "one" | "removed" | "restored", number[]>;

async function measure(runs: Runs, checkpoints: Checkpoints, root: string): Promise<void> {
  runs.first.push((await timed(() => checkpoints.take())).ms);
  // The clock of files is coarse: git does not trust an index as young as the files it names.
  await sleep(1_100);
  await checkpoints.take();
  const before = await timed(() => checkpoints.take());
  runs.unchanged.push(before.ms);
  writeFileSync(join(root, SECOND_FOLDER), "changed\n");
  runs.one.push((await timed(() => checkpoints.take())).ms);
  for (const name of readdirSync(root)) if (name.startsWith("d")) rmSync(join(root, name), { recursive: true });
  const after = await timed(() => checkpoints.take());
  runs.removed.push(after.ms);
  const ids = [before.value.checkpointId, after.value.checkpointId] as const;
  runs.restored.push((await timed(() => checkpoints.revert(...ids))).ms);
  runs.touched.push((await timed(() => checkpoints.take())).ms);
}

/** The cost of checkpoints before and after a turn, and of undoing a turn. */
export async function checkpointFigures(times: number): Promise<Figure[]> {
  const runs: Runs = { first: [], unchanged: [], touched: [], one: [], removed: [], restored: [] };
  for (let n = 0; n < times; n += 1) {
    const place = freshPlace();
    try {
      writeProject(place.cwd);
      const folder = join(place.home, "checkpoints");
      const limits = { leaveOut: [place.home], maxFileBytes: 10_000_000, files: walkedFiles };
      await measure(runs, openCheckpoints({ folder, roots: () => [place.cwd], ...limits, clock }), place.cwd);
    } finally {
      place.remove();
    }
  }
  const name = (what: string) => `checkpoint of 10,000 files: ${what}`;
  return [
    { name: name("the first one"), unit: "ms", runs: runs.first },
    { name: name("nothing changed"), unit: "ms", runs: runs.unchanged, target: 300 },
    { name: name("one file changed"), unit: "ms", runs: runs.one },
    { name: name("all files gone"), unit: "ms", runs: runs.removed },
    { name: name("all files written again, the same bytes"), unit: "ms", runs: runs.touched },
    { name: "taking back the loss of 10,000 files", unit: "ms", runs: runs.restored },
  ];
}
