import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type ModelServer, type ScenarioInput, startModelServer, writeBrokenProject } from "@harness/testkit";
import { type OpenTerminal, openTerminal } from "@harness/testkit/terminal";

const root = resolve(import.meta.dirname, "../..");
const scenarios = join(root, "packages/testkit/src/model-server/scenarios");

/** A real repository with a failing test, a scripted model that fixes it, and the window in a pseudo-terminal. */
export type Proof = { project: string; home: string; model: ModelServer; window: OpenTerminal; end(): Promise<void> };

export async function openProof({
  columns,
  rows,
  scenario = "fix-the-test",
  background = "dark",
  prepare = () => undefined,
}: {
  columns: number;
  rows: number;
  scenario?: "fix-the-test" | "ten-decisions" | "two-agents" | "siblings" | "tour";
  background?: "dark" | "light";
  /** Called before the window opens. */
  prepare?: (project: string) => void;
}): Promise<Proof> {
  const folder = mkdtempSync(join(tmpdir(), "harness-proof-"));
  const { root: project } = await writeBrokenProject(join(folder, "sum"));
  const script: ScenarioInput = JSON.parse(await readFile(join(scenarios, `${scenario}.json`), "utf8"));
  prepare(project);
  const variables = { cwd: project, outside: join(folder, "outside.txt") };
  const model = await startModelServer({ scenario: script, variables });
  const home = join(folder, "home");
  const window = openTerminal({
    command: join(root, "bin/harness"),
    args: ["--model", "scripted-model"],
    cwd: project,
    cols: columns,
    rows,
    background,
    env: { ...model.environment, HOME: home, HARNESS_HOME: home, PATH: process.env.PATH ?? "" },
  });
  const end = async () => {
    await window.close();
    await model.close();
    // The server of a killed window writes its last lines meanwhile.
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  return { project, home, model, window, end };
}

/**
 * Answers every permission dialog with "once", which is marked, until the screen contains `text`; returns the number of
 * dialogs.
 */
export async function allowUntil(
  window: OpenTerminal,
  text: string,
  onCard: () => void = () => undefined,
): Promise<number> {
  const has = (rows: string[], what: string) => rows.some((row) => row.includes(what));
  for (let cards = 0; ; cards += 1) {
    await window.waitFor((rows) => has(rows, text) || has(rows, "Yes, once"));
    if (has(window.screen(), text)) return cards;
    onCard();
    await pressUntil(window, "\r", (rows) => !has(rows, "Yes, once"));
  }
}

/**
 * Presses a key that a dialog shows; it shows none before it accepts them, so once is enough and more would be typed
 * elsewhere.
 */
export async function pressUntil(
  window: OpenTerminal,
  key: string,
  isDone: (rows: string[]) => boolean,
): Promise<void> {
  window.type(key);
  await window.waitFor(isDone);
}
