import { evaluateCall, runRules } from "@harness/gate";
import type { PermissionMode } from "@harness/protocol";
import { usualGateSettings } from "@harness/testkit";
import { createShellGrammar } from "../src/grammar/bash-grammar.ts";

const grammar = createShellGrammar();
const tools = [
  { name: "bash", subject: "argv" },
  { name: "read", subject: "path" },
  { name: "write", subject: "path" },
] as const;
const settings = usualGateSettings();

export type Judging = {
  allow?: string[];
  deny?: string[];
  mode?: PermissionMode;
  cwd?: string;
  sawSecret?: boolean;
  links?: Record<string, string>;
};

/** The grammar of the shell, which verdicts depend on. */
export const loadGrammar = () => grammar.load();

/** The gate's verdict on a command in `/home/me/w`, under rules of the run. */
export function judgeCommand(
  command: string,
  { allow = [], deny = [], mode = "default", ...rest }: Judging = {},
): ReturnType<typeof evaluateCall>["verdict"] {
  const { cwd = "/home/me/w", sawSecret = false, links = {} } = rest;
  const place = {
    cwd,
    paths: { real: (path: string) => links[path] ?? path, home: "/home/me", exists: () => false },
    grammar,
    settings,
    hidesFiles: deny.some((rule) => /^(?:read|\*)/.test(rule)),
  };
  const effects = [{ kind: "run", command, cwd } as const];
  const call = { category: "destructive", agentId: "main", toolCallId: "c", tool: "bash", title: "a command" } as const;
  return evaluateCall(
    { ...call, effects, foundInText: false, preview: async () => undefined },
    {
      ...place,
      sandbox: undefined,
      permissionMode: mode,
      notOffered: undefined,
      rules: runRules({ allow, deny }, tools).rules,
      grants: [],
      everythingAsks: undefined,
      hookDenial: undefined,
      sawSecret,
      canAsk: true,
    },
  ).verdict;
}
