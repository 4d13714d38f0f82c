import { evaluateCall, runRules } from "@harness/gate";
import type { Effect, PermissionMode } from "@harness/protocol";
import { usualGateSettings } from "@harness/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { createShellGrammar } from "./bash-grammar.ts";

// Input sent to a running command is judged by what its program does with it.
const grammar = createShellGrammar();
beforeAll(() => grammar.load());

type InputCase = {
  mode?: PermissionMode;
  allow?: string[];
  deny?: string[];
  before?: string | undefined;
  outside?: true;
  sandbox?: true;
};

function judge(to: string, text: string, { mode = "allow-all", allow = [], deny = [], ...rest }: InputCase) {
  const before = "before" in rest ? rest.before : "";
  const effect: Effect = {
    kind: "run",
    command: `printf %s '${text.replaceAll("'", "'\\''")}' | ${/[;&|<>$(){}]/.test(to) ? `{\n${to}\n}` : to}`,
    cwd: "/w",
    ...(rest.outside ? { outside: true } : {}),
    sent: { to, text, ...(before === undefined ? {} : { before }) },
  };
  const call = {
    agentId: "main",
    toolCallId: "a",
    title: "a call",
    foundInText: false,
    preview: async () => undefined,
  };
  return evaluateCall(
    { ...call, tool: "process", category: "destructive", effects: [effect] },
    {
      cwd: "/w",
      paths: { real: (path) => path, home: "/home/me" },
      grammar,
      sandbox: rest.sandbox ? { wanted: "auto", active: true, ready: async () => undefined } : undefined,
      settings: usualGateSettings(),
      permissionMode: mode,
      notOffered: undefined,
      rules: runRules({ allow, deny }, [{ name: "bash", subject: "argv" }, { name: "process" }]).rules,
      grants: [],
      everythingAsks: undefined,
      hookDenial: undefined,
      sawSecret: false,
      canAsk: true,
    },
  ).verdict;
}

const push = "rm -rf build; git push --force origin main\n";

describe("a deny rule", () => {
  const shells = [
    ...[
      "bash",
      "cd src && bash",
      "bash || true",
      "if true; then bash; fi",
      "{ echo up; sh -s; }",
      "(cd a; exec bash -i)",
    ],
    ...["env -i bash", "bash # } ; true", "X=1 bash --norc", "time bash", "nice -n 5 sh", "while :; do bash; done"],
    ...["ssh host", "ssh -p 22 me@host", "docker exec -i c sh", "kubectl exec -i pod -- bash", "bash 2>&1 | tee log"],
    ...["psql db", "python3 -i", "python3", "node", "node -i", "sqlite3 a.db", "gdb ./a.out", "irb", "./console.sh"],
    ...["make shell", "npm run console", "su - me"],
    ...["bash <&0", "bash 0<&3", "sh < /dev/stdin", "sh </dev/fd/0", "bash < /proc/self/fd/0"],
  ];
  it.each(shells)("denies a command that is sent to %j", (to) => {
    for (const text of [push, `  ${push}`, "true && git push\n", "git\\\n push\n", "A=1 git push\n"]) {
      expect(judge(to, text, { deny: ["bash(git push)"] }), text).toMatchObject({ decision: "deny", by: "rule" });
    }
  });

  it.each([
    ["bash", "git pu", "sh\n"],
    ["python3 -i", 'import os; os.system("git pu', 'sh")\n'],
    ["bash", "cat > x <<EOF\n", "EOF\ngit push\n"],
    ["bash", "git \\\n", "push origin main\n"],
    ["bash", "if true; then\n", "git push; fi\n"],
    ["bash", "bash\n", "git push\n"],
    ["bash", "ssh host\n", "git push\n"],
    ["bash", "python3\n", 'import os; os.system("git push")\n'],
    ["bash", "psql db\n", "\\! git push\n"],
    ["cat | bash", "", "git push\n"],
  ])("of %j sees what earlier input began: %j, then %j", (to, before, text) => {
    const { decision } = judge(to, text, { before, deny: ["bash(git push)"] });
    // The output of a pipe is read by the next command.
    expect(decision).toMatch(to.startsWith("cat") ? /ask|deny/ : /deny/);
  });

  it.each([
    ["psql db", "\\! git push\n"],
    ["sqlite3 a.db", ".shell git push\n"],
    ["gdb ./a.out", "shell git push\n"],
    ["gdb ./a.out", "!git push\n"],
    ["node", 'require("child_process").execSync("git push")\n'],
    ["python3", 'subprocess.run(["git", "push"])\n'],
    ["irb", "`git push`\n"],
    ["bash", "git\0 push\n"],
    ["bash", "gi\0t push\n"],
    ["bash", "git push\r"],
    ["bash", "git pull\x7f\x7f\x7fush\n"],
    ["script -qc bash /dev/null", "ls\x15git push\n"],
    ["ssh -tt host", "ls foo\x17\x17git push\n"],
  ])("sees it in the language of %j: %j", (to, text) => {
    expect(judge(to, text, { deny: ["bash(git push)"] })).toMatchObject({ decision: "deny" });
  });

  it.each([
    ["bash", "", "$X push\n"],
    ["bash", "X=git\n", "$X push\n"],
    ["python3 -i", "", 'os.system("gi" + "t pu" + "sh")\n'],
    ["ssh host", "", "$(printf gi)t push\n"],
    ["bash -i", "", "!git\n"],
    ["bash -i", "", "ls; !-1\n"],
    ["bash -i", "ls\n", "!!\n"],
    ["bash -i", "", "fc -s git\n"],
    ["./console.sh", "", "some other words\n"],
    ["bash", undefined, "ls\n"],
    ["bash", "", "l\x01s\n"],
    ["bash", "psql db\n", "select 1;\n"],
    ["bash", 'cd "$X"\n', "ls\n"],
  ])("has %j asked about where it is not certain: %j, then %j", (to, before, text) => {
    expect(judge(to, text, { before, deny: ["bash(git push)"] }).decision).toMatch(/ask|deny/);
  });
});

describe("what is always asked about", () => {
  it.each([
    ["bash", "", "git push --force origin main\n"],
    ["cd src && bash", "", "rm -rf ~\n"],
    ["bash", "", "echo x > .envrc\n"],
    ["bash", "cat > .envrc <<EOF\n", "export X=1\n"],
    ["bash", "cat > .envrc\n", "export X=1\n"],
    ["bash", "cd sub\n", "echo x > .envrc\n"],
    ["bash", "cd .config\n", "echo x > fish/config.fish\n"],
    ["bash", "cd .config\ncd fish\n", "echo x > config.fish\n"],
    ["bash", "F=.envrc\n", "echo x > $F\n"],
    ["cd .config && bash", "", "echo x > fish/config.fish\n"],
    ["bash", "", "sudo ls\n"],
    ["docker exec -i c sh", "", "sudo rm -rf /\n"],
    ["sh ./repl.sh", "", "echo x > .git/config\n"],
  ])("stays so in %j after %j: %j", (to, before, text) => {
    expect(judge(to, text, { before })).toMatchObject({ decision: "ask", always: true });
  });

  it("is what runs outside of a sandbox that works", () => {
    for (const mode of ["auto-in-sandbox", "allow-all", "accept-edits"] as const) {
      expect(judge("bash", "ls\n", { mode, sandbox: true, outside: true })).toMatchObject({
        decision: "ask",
        always: true,
      });
    }
  });
});

describe("what is not asked about more than before", () => {
  it.each([
    ["npm run dev", "rs\n"],
    ["npm run dev", "y\n"],
    ["npm run dev", "\n"],
    ["npx vitest", "a"],
    ["cat", "any text of many words\n"],
    ["while read line; do echo got $line; done", "a line of words\n"],
    ["tail -f log", "x y\n"],
  ])("an answer to %j: %j", (to, text) => {
    expect(judge(to, text, { deny: ["bash(git push)"] }).decision).toBe("allow");
    expect(judge(to, text, { mode: "auto-in-sandbox", sandbox: true }).decision).toBe("allow");
  });

  it.each([
    ["bash", "", "npm test\n"],
    ["bash", "git push\nls\n", "npm test\n"],
    ["cd src && bash", "cd lib\n", "make test > out.txt\n"],
    ["bash", "export A=1\n", "npm test\n"],
    ["bash", "", "! grep -q x a.txt && [ a != b ] && echo hi!\n"],
    ["bash < script.sh", "", "any words !git\n"],
  ])("a plain script for %j after %j: %j", (to, before, text) => {
    expect(judge(to, text, { before }).decision).toBe("allow");
    expect(judge(to, text, { before, mode: "auto-in-sandbox", sandbox: true }).decision).toBe("allow");
  });

  it("an answer that a rule for the command covers", () => {
    expect(
      judge("npm run dev", "rs\n", { mode: "default", allow: ["bash(npm run dev)", "process(npm run dev)"] }),
    ).toMatchObject({
      risk: "medium",
    });
  });
});

describe("a shell and what it is sent", () => {
  it("is asked about as a high risk, without a lasting answer", () => {
    expect(judge("bash", "npm test\n", { mode: "default" })).toMatchObject({
      decision: "ask",
      risk: "high",
      reason: "runs a command that is given text that it runs",
    });
  });
});
