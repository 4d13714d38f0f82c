import type { Tool, ToolApproval, ToolContext } from "@harness/core";
import { MemoryLedger } from "@harness/testkit";
import { builtinTools, Sandboxes } from "@harness/tools";
import { type Figure, median } from "./figures.ts";
import { freshPlace } from "./headless.ts";

const WARM_UP = 3;
const COMMANDS = 30;

/**
 * The time of one command with and without the sandbox: of the tool as a session calls it, for a program that does
 * nothing.
 */
export async function sandboxFigures(times: number): Promise<Figure[]> {
  const { cwd, home, remove } = freshPlace();
  const path = process.env.PATH ?? "";
  const openMs: number[] = [];
  const plainMs: number[] = [];
  const containedMs: number[] = [];
  for (let run = 0; run < times; run++) {
    const sandbox = new Sandboxes().create({
      wanted: "auto",
      allowedDomains: [],
      configFolder: `${home}/harness`,
      home,
      path,
      env: {},
    });
    const started = performance.now();
    await sandbox.ready();
    openMs.push(performance.now() - started);
    if (!sandbox.active) {
      process.stderr.write(`No figures of the sandbox: ${sandbox.why}.\n`);
      break;
    }
    const bash = builtinTools({ toolTimeoutMs: 10_000, sandbox }).tools.find(({ name }) => name === "bash");
    if (bash) {
      plainMs.push(await perCommand(bash, cwd, false));
      containedMs.push(await perCommand(bash, cwd, true));
    }
    sandbox.close();
  }
  remove();
  if (containedMs.length === 0) return [];
  const more = containedMs.map((each, i) => each - (plainMs[i] ?? 0));
  return [
    { name: "sandbox: found and tried out, once a session", unit: "ms", runs: openMs, target: 100 },
    { name: "a command without the sandbox", unit: "ms", runs: plainMs },
    { name: "a command in the sandbox", unit: "ms", runs: containedMs, yardstick: { name: "without", runs: plainMs } },
    { name: "– what the sandbox adds", unit: "ms", runs: more, target: 20 },
  ];
}

/** The median of several consecutive calls. */
async function perCommand(bash: Tool, cwd: string, sandboxed: boolean): Promise<number> {
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
  const approval: ToolApproval = { realPaths: new Map(), roots: [cwd], sandboxed };
  const args = { command: "true", ...(sandboxed ? {} : { outside_sandbox: true }) };
  const tookMs: number[] = [];
  for (let call = 0; call < WARM_UP + COMMANDS; call++) {
    const started = performance.now();
    const result = await bash.run(args, context, approval);
    if (result.status !== "ok") throw new Error(result.text);
    tookMs.push(performance.now() - started);
  }
  return median(tookMs.slice(WARM_UP));
}
