import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { GateCall } from "@harness/gate";
import {
  type AuditLog,
  Gatekeeper,
  type Policies,
  PolicyFile,
  readPolicyFile,
  runRules,
  type ShellGrammar,
} from "@harness/gate";
import { FileStamps } from "@harness/host";
import type { PermissionMode } from "@harness/protocol";
import { createRedactor, openAudit, openPolicies } from "@harness/storage";
import { memoryPorts, ScriptedProvider, usualGateSettings } from "@harness/testkit";
import { builtinTools, createShellGrammar } from "@harness/tools";
import { nodeClock } from "../packages/workspace/src/system/node-clock.ts";
import { realPaths } from "../packages/workspace/src/system/real-paths.ts";
import { checkedCommandFigures } from "./checked-command.ts";
import { type Figure, median } from "./figures.ts";
import { cleanEnv, freshPlace } from "./headless.ts";

const RULES = 500;
const WARM_UP = 50;
const ROUNDS = 400;

type CallRow = { name: string; tool: string; args: object; mode?: PermissionMode; passes?: false };

/** Everyday calls of an agent with the permission mode for each; none needs a question. */
const calls: readonly CallRow[] = [
  { name: "reads a file", tool: "read", args: { file_path: "src/a.ts" } },
  { name: "searches", tool: "grep", args: { pattern: "export", path: "src" } },
  { name: "writes a file", tool: "write", args: { file_path: "src/a.ts", content: "x" }, mode: "accept-edits" },
  { name: "looks with a command", tool: "bash", args: { command: "git status --short" } },
  {
    name: "looks with several",
    tool: "bash",
    args: { command: "cd src && grep -rn 'export' . 2>/dev/null | sort -u | head -20; ls -la && cat a.ts" },
  },
  { name: "runs what a rule allows", tool: "bash", args: { command: "tool250 go --now" } },
  {
    name: "runs what is not known, by mode",
    tool: "bash",
    args: { command: "npm run build -- --watch" },
    mode: "allow-all",
  },
  { name: "denies what would be asked", tool: "bash", args: { command: "npm run build" }, mode: "deny", passes: false },
  { name: "runs what a rule denies", tool: "bash", args: { command: "tool401 go" }, mode: "allow-all", passes: false },
  { name: "fetches from a host of a rule", tool: "web_fetch", args: { url: "https://docs3.example.com/a/b?c=d" } },
];

/** Only a real grammar can say what these run. */
const hidden: readonly CallRow[] = [
  {
    name: "runs a script",
    tool: "bash",
    args: { command: 'for f in src/*.ts; do echo "$(wc -l < "$f") $f"; done > lines.txt' },
    mode: "allow-all",
  },
  {
    name: "runs a here-document",
    tool: "bash",
    args: { command: "cat > notes.md <<'END'\n# Notes\n\n- one\nEND\nnpx prettier --check notes.md || true" },
    mode: "allow-all",
  },
];

/** Five kinds of rules, as people and answers write them. */
function someRules(): PolicyFile {
  const rules = Array.from({ length: RULES }, (_, n): PolicyFile["rules"][number] => {
    if (n % 5 === 0) return { decision: "allow", tool: "bash", argv: [`tool${n}`, "go"] };
    if (n % 5 === 1) return { decision: "deny", tool: "bash", argv: [`tool${n}`] };
    if (n % 5 === 2) return { decision: "allow", tool: "write", path: `packages/p${n}/**` };
    if (n % 5 === 3) return { decision: "allow", tool: "web_fetch", host: `docs${n}.example.com` };
    return { decision: "ask", tool: "write", path: `deploy/${n}/**` };
  });
  return PolicyFile.parse({ version: 1, rules });
}

type Seen = { mixMs: number[]; slowestMs: number[]; slowest: string };

/** Decides each call repeatedly, to the end: judged, confirmed right before it would run, and recorded. */
async function decide(rows: readonly CallRow[], desk: Desk, grammar: ShellGrammar | undefined): Promise<Seen> {
  let mode: PermissionMode = "default";
  const gate = desk.gate(() => mode, grammar);
  const perCall = rows.map((): number[] => []);
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    for (const [at, row] of rows.entries()) {
      mode = row.mode ?? "default";
      gate.modeChanged();
      const call = desk.call(row, `${round}-${at}`);
      const startedMs = performance.now();
      const outcome = await gate.evaluate(call, desk.requester);
      const end = outcome.verdict === "allowed" ? gate.confirm(call, outcome.approval, desk.requester) : outcome;
      const tookMs = performance.now() - startedMs;
      if ((end.verdict === "allowed") !== (row.passes ?? true)) throw new Error(`${row.name}: ${end.verdict}`);
      if (round >= WARM_UP) perCall[at]?.push(tookMs);
    }
  }
  const medians = perCall.map(median);
  const most = medians.indexOf(Math.max(...medians));
  return { mixMs: perCall.flat(), slowestMs: perCall[most] ?? [], slowest: rows[most]?.name ?? "" };
}

/** A gate as in a session: real tools, real paths, policies and audit log on disk. Nobody is asked. */
class Desk {
  readonly requester = {
    agentId: "main",
    turnId: "turn",
    signal: new AbortController().signal,
    record: () => undefined,
    whileAsking: () => Promise.reject(new Error("A call of the mix is asked about.")),
  };
  readonly #cwd: string;
  readonly #policies: Policies;
  readonly #audit: AuditLog;
  readonly #tools = builtinTools({ toolTimeoutMs: 10_000 });

  constructor(cwd: string, home: string) {
    this.#cwd = cwd;
    const configPaths = { root: join(home, "harness") };
    mkdirSync(join(cwd, "src"), { recursive: true });
    mkdirSync(configPaths.root, { recursive: true, mode: 0o700 });
    writeFileSync(join(cwd, "src", "a.ts"), "export const a = 1;\n");
    writeFileSync(join(configPaths.root, "policies.json"), JSON.stringify(someRules()), { mode: 0o600 });
    const stamps = new FileStamps();
    this.#policies = openPolicies({
      configPaths,
      cwd,
      clock: nodeClock,
      stampOf: (path) => stamps.of(path),
      read: readPolicyFile,
      trusted: () => false,
    });
    this.#audit = openAudit({ configPaths, clock: nodeClock, redactor: () => createRedactor([]) });
  }

  gate(permission: () => PermissionMode, grammar: ShellGrammar | undefined): Gatekeeper {
    const ports = memoryPorts({ provider: new ScriptedProvider([]) });
    const own = {
      paths: realPaths(homedir()),
      policies: this.#policies,
      audit: this.#audit,
      gateSettings: usualGateSettings,
    };
    const log = { ...ports.log, header: { ...ports.log.header, cwd: this.#cwd } };
    const rules = runRules({ allow: [], deny: [] }, this.#tools.tools);
    const session = () => ({ permission: permission(), agent: "agent" as const });
    const given = { ...ports, ...own, log, runtime: { ...ports, clock: nodeClock }, ...(grammar ? { grammar } : {}) };
    return new Gatekeeper(given, rules, { session, permission, refusal: () => undefined });
  }

  call({ tool: name, args }: CallRow, toolCallId: string): GateCall {
    const tool = this.#tools.tools.find((each) => each.name === name);
    if (!tool) throw new Error(`There is no tool ${name}.`);
    const effects = tool.effects(args, this.#cwd);
    const { category, area } = tool;
    const title = tool.title(args, this.#cwd);
    const more = area === undefined ? {} : { area };
    const preview = () => Promise.resolve(undefined);
    return { agentId: "main", toolCallId, tool: name, title, category, ...more, effects, foundInText: false, preview };
  }
}

/** Loading the grammar in a fresh process, and parsing the first command. */
async function grammarMs(home: string): Promise<{ load: number; first: number }> {
  const module = new URL(`file://${resolve(import.meta.dirname, "../packages/tools/src/grammar/bash-grammar.ts")}`);
  const script = `
    const { createShellGrammar } = await import(${JSON.stringify(module.href)});
    const grammar = createShellGrammar();
    const began = performance.now();
    await grammar.load();
    const loaded = performance.now();
    if (!grammar.read('for f in *; do echo "$(wc -l < "$f")"; done')) throw new Error("It was not loaded.");
    console.log(JSON.stringify({ load: loaded - began, first: performance.now() - loaded }));`;
  const args = ["--input-type=module", "--eval", script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: cleanEnv(home) });
  return JSON.parse(stdout) as { load: number; first: number };
}

/** The costs of the gate: a decision, the shell grammar, and running the checked arguments instead of the text. */
export async function gateFigures(times: number): Promise<Figure[]> {
  const place = freshPlace();
  try {
    const desk = new Desk(place.cwd, place.home);
    const grammar = createShellGrammar();
    const without: Seen[] = [];
    const withIt: Seen[] = [];
    const scripts: Seen[] = [];
    const loads: { load: number; first: number }[] = [];
    for (let n = 0; n < times; n += 1) without.push(await decide(calls, desk, undefined));
    for (let n = 0; n < times; n += 1) loads.push(await grammarMs(place.home));
    await grammar.load();
    for (let n = 0; n < times; n += 1) {
      withIt.push(await decide(calls, desk, grammar));
      scripts.push(await decide(hidden, desk, grammar));
    }
    const of = (seen: Seen[], key: "mixMs" | "slowestMs") => seen.map((each) => median(each[key]));
    const slowest = without[0]?.slowest ?? "";
    return [
      { name: `a decision of the gate, ${RULES} rules`, unit: "ms", runs: of(without, "mixMs"), target: 1 },
      { name: `– the slowest kind (${slowest})`, unit: "ms", runs: of(without, "slowestMs") },
      { name: "– with the grammar of the shell loaded", unit: "ms", runs: of(withIt, "mixMs"), target: 1 },
      { name: "– of commands that only the grammar can read", unit: "ms", runs: of(scripts, "mixMs") },
      { name: "grammar: loaded, in a new process", unit: "ms", runs: loads.map(({ load }) => load), target: 60 },
      { name: "grammar: its first command", unit: "ms", runs: loads.map(({ first }) => first) },
      ...(await checkedCommandFigures(times, place)),
    ];
  } finally {
    place.remove();
  }
}
