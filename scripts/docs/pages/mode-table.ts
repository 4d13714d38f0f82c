import { evaluateCall, type GateSettings, type SandboxView } from "@harness/gate";
import { type Effect, PermissionMode } from "@harness/protocol";
import { table } from "./markdown-table.ts";

const CWD = "/work";

/** Kinds of calls that the modes tell apart, each by an example. */
const kinds: readonly { name: string; category: "readOnly" | "destructive"; effect: Effect }[] = [
  { name: "looks in the workspace", category: "readOnly", effect: { kind: "read", path: `${CWD}/a` } },
  { name: "command that only reads", category: "destructive", effect: run("git status") },
  { name: "change of an ordinary file", category: "destructive", effect: { kind: "write", path: `${CWD}/a` } },
  { name: "other command", category: "destructive", effect: run("npm run build") },
  { name: "request to a host", category: "readOnly", effect: { kind: "reach", url: "https://example.com/" } },
  { name: "protected file, `sudo` …", category: "destructive", effect: { kind: "write", path: `${CWD}/.git/config` } },
];

function run(command: string): Effect {
  return { kind: "run", command, cwd: CWD };
}

const settings: GateSettings = {
  strict: false,
  autoAcceptSafeCommands: true,
  safeCommandPrefixes: null,
  deniedCommandPrefixes: [],
  additionalDirectories: [],
  checkpoints: true,
};
const sandbox: SandboxView = { ready: () => Promise.resolve(), wanted: "auto", active: true };
const words = { allow: "runs", ask: "asked", deny: "denied" } as const;

/** The gate's decision for each kind of call in each mode, with a working sandbox and no rules. */
export function modeTable(): string {
  const rows = PermissionMode.options.map((permissionMode) => [
    `\`${permissionMode}\``,
    ...kinds.map(({ category, effect }) => {
      const effects = [effect];
      const none = { foundInText: false, preview: () => Promise.resolve(undefined) };
      const call = { agentId: "main", toolCallId: "a", tool: "example", title: "", category, effects, ...none };
      const { verdict } = evaluateCall(call, {
        cwd: CWD,
        paths: { real: (path) => path },
        grammar: undefined,
        sandbox,
        settings,
        permissionMode,
        notOffered: undefined,
        rules: [],
        grants: [],
        everythingAsks: undefined,
        hookDenial: undefined,
        sawSecret: false,
        canAsk: true,
      });
      return words[verdict.decision];
    }),
  ]);
  return table(["", ...kinds.map(({ name }) => name)], rows);
}
