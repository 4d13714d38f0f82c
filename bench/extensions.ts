import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { SourceInventory } from "@harness/extensions";
import { FileStamps } from "@harness/host";
import { configPathsOf } from "@harness/storage";
import { nodeClock } from "../packages/workspace/src/system/node-clock.ts";
import { FolderTrust } from "../packages/workspace/src/trust/folder-trust.ts";
import { TrustMemory } from "../packages/workspace/src/trust/trust-memory.ts";
import { type Figure, median } from "./figures.ts";

/** Half of them belong to a trusted project, with a trust look-up for each file. */
const SOURCES = 20;
const LOOKS = 200;
const WARM_UP = 50;
/** A file's stamp is trusted once the file is older than this. */
const SETTLED_MS = 150;
/** The kinds in turn, in a realistic mix. */
const places = [
  "tools/t",
  "hooks.d/send/50-h",
  "hooks.d/tool_exec/05-h",
  "commands/c",
  "skills/s",
  "prompts/p",
  "agents/a",
];

/** The cost per request of checking the user's extensions for changes, while nothing changes. */
export async function extensionFigures(times: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const files of [0, 20, 200]) {
    const runs: number[] = [];
    for (let run = 0; run < times; run += 1) runs.push(await lookMs(files));
    const name = `a look at the sources before a request: ${files} files in ${files === 0 ? "no" : SOURCES} sources`;
    figures.push({ name, unit: "ms", runs, ...(files === 200 && { target: 1 }) });
  }
  return figures;
}

async function lookMs(files: number): Promise<number> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "harness-bench-")));
  try {
    const [home, cwd] = [join(root, "home"), join(root, "home/work/project")];
    mkdirSync(join(cwd, ".git"), { recursive: true });
    for (let n = 0; n < files; n += 1) put(sourceOf(n % SOURCES, { home, cwd }), n);
    const stamps = new FileStamps();
    const configPaths = configPathsOf({ HOME: home }, home);
    const trust = new FolderTrust(cwd, new TrustMemory({ configPaths, home, clock: nodeClock, stamps }));
    const { hash } = await trust.view();
    trust.trustForNow(hash);
    const inventory = new SourceInventory({
      places: { configFolder: configPaths.root, home },
      stamps,
      trust: {
        standing: (_, folder) => trust.standing(folder),
        isTrusted: (_, file) => trust.isTrusted(file),
        hasLapsed: (_, file) => trust.hasLapsed(file),
        leadsOut: (_, file) => trust.leadsOut(file),
      },
      chosenProvider: undefined,
    });
    await nodeClock.sleep(SETTLED_MS);
    const found = inventory.at(cwd);
    if (found.entries.length !== files || found.entries.some(({ problem }) => problem !== undefined))
      throw new Error(`${found.entries.length} of ${files} files were found`);
    return await medianLook(inventory, cwd);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function medianLook(inventory: SourceInventory, cwd: string): Promise<number> {
  await setImmediate();
  const before = inventory.at(cwd);
  const runs: number[] = [];
  for (let look = 0; look < WARM_UP + LOOKS; look += 1) {
    await setImmediate();
    const start = performance.now();
    const now = inventory.at(cwd);
    if (look >= WARM_UP) runs.push(performance.now() - start);
    if (now !== before) throw new Error("the sources were read again");
  }
  return median(runs);
}

function sourceOf(source: number, { home, cwd }: { home: string; cwd: string }): string {
  return source % 2 === 0 ? join(home, ".harness/plugins", `p${source}`) : join(cwd, ".harness/plugins", `p${source}`);
}

function put(source: string, n: number): void {
  const place = `${places[n % places.length] ?? "tools/t"}${n}`;
  const isProse = /^(prompts|agents)/.test(place);
  const path = join(source, place.startsWith("skills") ? `${place}/SKILL.md` : isProse ? `${place}.md` : place);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, isProse ? "---\ndescription: D.\n---\nText.\n" : "#!/bin/sh\ncat\n", { mode: 0o755 });
}
