import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Tool, ToolApproval, ToolContext } from "@harness/core";
import { readStrictLine } from "@harness/gate";
import { MemoryLedger } from "@harness/testkit";
import { builtinTools } from "@harness/tools";
import { type Figure, median } from "./figures.ts";

const WARM_UP = 3;
const COMMANDS = 30;

/** The cost of running a read-only command from its checked arguments rather than as text. */
export async function checkedCommandFigures(times: number, place: { cwd: string }): Promise<Figure[]> {
  const { cwd } = place;
  writeFileSync(join(cwd, "a.txt"), "one\ntwo\n");
  execFileSync("git", ["init", "-q"], { cwd });
  const rows = { "a command (cat)": "cat a.txt", "a command (git status)": "git status --short" };
  const figures: Figure[] = [];
  for (const [name, command] of Object.entries(rows)) {
    const plain: number[] = [];
    const checked: number[] = [];
    for (let n = 0; n < times; n += 1) {
      plain.push(await perCommand(cwd, command, false));
      checked.push(await perCommand(cwd, command, true));
    }
    figures.push(
      { name: `${name}, run as text`, unit: "ms", runs: plain },
      { name: "– run as it was checked", unit: "ms", runs: checked, yardstick: { name: "as text", runs: plain } },
    );
  }
  return figures;
}

/** The median of several consecutive calls of the tool. */
async function perCommand(cwd: string, command: string, isChecked: boolean): Promise<number> {
  const bash: Tool | undefined = builtinTools({ toolTimeoutMs: 10_000 }).tools.find(({ name }) => name === "bash");
  const checked = readStrictLine(command);
  if (!bash || "outside" in checked) throw new Error(`${command} cannot be checked.`);
  const context: ToolContext = {
    staged: undefined,
    extracts: undefined,
    askModel: undefined,
    traceparent: undefined,
    ask: undefined,
    agentId: "main",
    cwd,
    signal: new AbortController().signal,
    emit: () => undefined,
    files: new MemoryLedger(),
    spill: () => "/dev/null",
  };
  const approval: ToolApproval = {
    realPaths: new Map(),
    roots: [cwd],
    sandboxed: false,
    ...(isChecked ? { checked } : {}),
  };
  const tookMs: number[] = [];
  for (let call = 0; call < WARM_UP + COMMANDS; call += 1) {
    const startedMs = performance.now();
    const result = await bash.run({ command }, context, approval);
    if (result.status !== "ok") throw new Error(result.text);
    tookMs.push(performance.now() - startedMs);
  }
  return median(tookMs.slice(WARM_UP));
}
