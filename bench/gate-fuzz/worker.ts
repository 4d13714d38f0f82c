// Runs inside the container that gate-fuzz.ts starts, in the only folder it can write to.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ToolApproval, ToolContext } from "@harness/core";
import { MemoryLedger } from "@harness/testkit";
import { GateDesk } from "../../packages/server/test/gate-desk.ts";
import { fuzzedPrograms, randomLines } from "./random-lines.ts";
import { changesBetween, showsSecret, stateOf, writeTrappedPlace } from "./trapped-place.ts";

/** The time limit of an allowed command; most that reach it wait for input. */
const TIMEOUT_MS = 2_000;

type Finding = { line: string; what: string };
export type FuzzResult = { lines: number; allowed: number; findings: Finding[] };

const [root = "", count = "", seed = ""] = process.argv.slice(2);
const [cwd, home] = [join(root, "w"), join(root, "home")];
mkdirSync(cwd, { recursive: true });
const { blob, tree } = writeTrappedPlace(cwd, home);
process.env.HOME = home;

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
  spill: () => join(root, "spilled"),
};
const desk = new GateDesk({ cwd, home });
await desk.ready();
let before = stateOf([cwd, home]);

/** Runs a command and says what harm it did. */
async function harmOf(command: string, approval: ToolApproval): Promise<string[]> {
  const { text } = await desk.bash.run({ command, timeout_ms: TIMEOUT_MS }, context, approval);
  const after = stateOf([cwd, home]);
  const changed = changesBetween(before, after);
  before = after;
  const seen = showsSecret(text) ? ["printed a secret"] : [];
  return changed.length > 0 ? [`changed ${changed.slice(0, 3).join(", ")}`, ...seen] : seen;
}

// Commands that the gate would never allow: a fuzz that misses these proves nothing.
const asText: ToolApproval = { realPaths: new Map(), roots: [cwd], sandboxed: false };
for (const command of [
  "cat .env",
  "rev .env",
  "od -An -tx1 .env",
  "base64 -w0 .env",
  "./trap.sh",
  "touch out.txt",
  "git diff HEAD~1",
]) {
  const harm = await harmOf(command, asText);
  if (harm.length === 0) throw new Error(`The fuzz does not notice what \`${command}\` does.`);
}

const result: FuzzResult = { lines: 0, allowed: 0, findings: [] };
for (const written of randomLines(fuzzedPrograms(), Number(seed))) {
  if (result.lines >= Number(count)) break;
  result.lines += 1;
  const line = written.replaceAll("BLOB", blob).replaceAll("TREE", tree);
  const { approval } = await desk.decide(line);
  if (!approval) continue;
  result.allowed += 1;
  for (const what of await harmOf(line, approval)) result.findings.push({ line, what });
}
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);
