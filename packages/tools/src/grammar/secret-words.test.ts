import { evaluateCall, type KeptRule, policyRules, runRules } from "@harness/gate";
import type { PermissionMode } from "@harness/protocol";
import { namingNoSecretCases, secretNamingCases } from "@harness/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { createShellGrammar } from "./bash-grammar.ts";

const grammar = createShellGrammar();
beforeAll(() => grammar.load());

const rows = (commands: readonly string[]) => commands.map((command) => [command]);
const kept = (...rules: KeptRule["rule"][]) =>
  policyRules({
    rules: rules.map((rule) => ({ ruleId: "r", rule, scope: "user", path: "p" })),
    problems: [],
    everythingAsks: false,
    version: "1",
  }).rules;
const run = (allow: string[]) => runRules({ allow, deny: [] }, [{ name: "bash", subject: "argv" }]).rules;
const programs = [
  ..."awk cat cd cp curl dd docker echo find git grep make node npm npx python3 rm rsync scp sed sh tar xargs".split(
    " ",
  ),
];

function judge(command: string, rules = run([]), permissionMode: PermissionMode = "default", prefixes?: string[]) {
  return evaluateCall(
    {
      category: "destructive",
      agentId: "main",
      toolCallId: "c",
      tool: "bash",
      title: "a command",
      effects: [{ kind: "run", command, cwd: "/w" }],
      foundInText: false,
      preview: async () => undefined,
    },
    {
      cwd: "/w",
      paths: { real: (path) => path, home: "/home/me", exists: (path) => path === "/w/src" },
      grammar,
      sandbox: undefined,
      settings: {
        strict: false,
        autoAcceptSafeCommands: true,
        safeCommandPrefixes: prefixes ?? null,
        deniedCommandPrefixes: [],
        additionalDirectories: [],
        checkpoints: true,
      },
      permissionMode,
      notOffered: undefined,
      rules,
      grants: [],
      everythingAsks: undefined,
      hookDenial: undefined,
      sawSecret: false,
      canAsk: true,
    },
  ).verdict;
}

describe("a command that names a place with secrets", () => {
  it.each(rows(secretNamingCases))("is asked about under rules that name only programs: %s", (command) => {
    const decisions = [
      judge(
        command,
        kept(...programs.map((program): KeptRule["rule"] => ({ decision: "allow", tool: "bash", argv: [program] }))),
      ),
      judge(command, kept({ decision: "allow", tool: "bash" })),
      judge(command, run(programs.map((program) => `bash(${program})`))),
      judge(command, run(["bash"])),
    ].map(({ decision }) => decision);
    expect(decisions).toEqual(["ask", "ask", "ask", "ask"]);
  });
  it.each(rows(secretNamingCases))("offers nothing that lasts: %s", (command) => {
    expect(judge(command)).toMatchObject({ decision: "ask", risk: "high" });
  });
  it("says which word it is", () => {
    expect(judge("cat --foo src/../.env").reason).toBe("runs a command that names src/../.env, which may hold secrets");
  });
  it("runs unasked where the mode lets everything run", () => {
    expect(judge("docker run --env-file .env x", run([]), "allow-all").decision).toBe("allow");
  });
  it("is covered by a rule that names the word itself", () => {
    expect(judge("docker run --env-file .env x", run(["bash(docker run --env-file .env)"])).decision).toBe("allow");
    expect(judge("docker run --env-file .env x", run(["bash(docker run --env-file)"])).decision).toBe("ask");
    expect(judge("docker run --env-file .env .ssh", run(["bash(docker run --env-file .env)"])).decision).toBe("ask");
  });
  it("is not covered by a prefix of the settings that names only its program", () => {
    expect(judge("make x", run([]), "default", ["make"]).decision).toBe("allow");
    expect(judge("make ./.env", run([]), "default", ["make"]).decision).toBe("ask");
  });
});

describe("a command that names no such place", () => {
  it.each(rows(namingNoSecretCases))("is covered by a rule for the tool: %s", (command) => {
    expect(judge(command, run(["bash"])).decision).toBe("allow");
  });
});
