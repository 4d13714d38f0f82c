// Rules together with secrets, dangerous flags and reasons; and stored rules.
import { describe, expect, it } from "vitest";
import { ALL, check, fetch, judge, n, q, read, run, write, y } from "../test/judge-call.ts";

describe("rules for commands that name secrets", () => {
  const env = ["bash(cat .env)"];
  check([
    ["cover a reader that names the same word", { ...run("cat .env"), allow: env }, y, "rule"],
    [
      "also as a lasting rule",
      { ...run("cat .env"), kept: [{ decision: "allow", tool: "bash", argv: ["cat", ".env"] }] },
      y,
    ],
    ["also further words behind it", { ...run("cat .env a"), allow: env }, y],
    ["also with a reader behind it", { ...run("head -1 .env | wc -c"), allow: ["bash(head -1 .env)"] }, y],
    ["cover an unknown program that names it", { ...run("mytool .env"), allow: ["bash(mytool .env)"] }, y],
    ["not another secret", { ...run("cat .env id_rsa"), allow: env }, q],
    ["not the same name elsewhere", { ...run("cat sub/.env"), allow: env }, q],
    ["not another spelling", { ...run("cat ./.env"), allow: env }, q],
    ["not a pattern", { ...run("cat .env*"), allow: ["bash(cat)", "bash(cat .env)"] }, q],
    ["not behind a link", { ...run("cat plain"), allow: ["bash(cat plain)"], links: { "/w/plain": "/w/.env" } }, q],
    ["not where a link leads elsewhere", { ...run("cat .env"), allow: env, links: { "/w/.env": "/w/x/.npmrc" } }, q],
    ["not without the word", { ...run("cat .env"), allow: ["bash(cat)", "bash", "*", "read(.env)"] }, q],
    ["not with an input", { ...run("cat < .env"), allow: ["bash(cat)"] }, q],
    ["not behind a cd", { ...run("cd sub && cat .env"), allow: [...env, "bash(cd)"] }, q],
  ]);

  it("say why where a person has given a reason", () => {
    const rule = { decision: "deny", tool: "bash", argv: ["git", "push"], why: "CI does\n that" } as const;
    const { verdict } = judge({ ...run("git push"), kept: [rule] });
    expect(verdict.reason).toBe("is denied by the rule `bash(git push)`: CI does that");
    const whole = judge({ ...run("git push"), kept: [{ ...rule, why: "CI does that." }] });
    expect(whole.verdict.reason).toBe(verdict.reason);
    const asking = judge({ ...run("git push"), kept: [{ ...rule, decision: "ask" }] });
    expect(asking.verdict.reason).toMatch(/the rule `bash\(git push\)` asks each time: CI does that$/);
  });
});

describe("rules of a run", () => {
  const rows: [string, string][] = [
    ["bash(find)", "find . -name a -exec rm '{}' +"],
    ["bash(find)", "find . -delete"],
    ["bash(git log)", "git log --output=x"],
    ["bash(git)", "git -c alias.x=!ls x"],
    ["bash(git)", "git -c core.pager=./x log"],
    ["bash(rg)", "rg --pre=./x a"],
    ["bash(sort)", "sort --compress-program=./x a"],
    ["bash(tar)", "tar -cf a.tar --to-command=./x b"],
    ["bash(sed)", "sed -i s/a/b/ x"],
    ["bash(awk)", "awk 'BEGIN{system(1)}'"],
    ["bash(fd)", "fd -x rm"],
    ["bash(git diff)", "git diff --ext-diff"],
  ];
  it.each(rows)("%s covers no %s", (rule, command) => {
    expect(judge({ ...run(command), allow: [rule] }).verdict.decision).toBe("ask");
  });
});

describe("rules that were kept", () => {
  const gitRule = (...words: string[]) => ({ decision: "allow", tool: "bash", argv: ["git", ...words] });
  const npm = { decision: "allow", tool: "bash", argv: ["npm", "test"] };
  check([
    ["cover what they begin", { ...run("npm test -- --run"), kept: [npm] }, y, "rule"],
    ["cover only exactly that with rest none", { ...run("npm test x"), kept: [{ ...npm, rest: "none" }] }, q],
    ["cover no flag that writes elsewhere", { ...run("git log --output=x"), kept: [gitRule("log")] }, q],
    ["nor one cut short", { ...run("git log --outp x"), kept: [gitRule("log")] }, q],
    ["nor one that runs programs", { ...run("git grep -Ovim x"), kept: [gitRule("grep")] }, q],
    ["unless they name it", { ...run("git log --output=x"), kept: [gitRule("log", "--output=x")] }, y, "rule"],
    ["cover other flags", { ...run("git switch -c x"), kept: [gitRule("switch")] }, y, "rule"],
    ["cover nothing dangerous", { ...run("rm -r dist"), kept: [{ ...npm, argv: ["rm"] }] }, q],
    ["not even as a whole tool", { ...run("rm -r dist"), kept: [{ decision: "allow", tool: "bash" }] }, q],
    ["cover a folder", { ...write("/w/src/a"), kept: [{ decision: "allow", tool: "write", path: "src/**" }] }, y],
    [
      "cover a host",
      { ...fetch("https://a.example/x"), kept: [{ decision: "allow", tool: "fetch", host: "a.example" }] },
      y,
    ],
    [
      "cover one port where they name it",
      { ...fetch("http://localhost:3000/"), kept: [{ decision: "allow", tool: "fetch", host: "localhost:3001" }] },
      q,
    ],
    [
      "of words do not cover paths",
      { ...read("/etc/npm"), kept: [{ decision: "allow", tool: "read", argv: ["npm"] }] },
      q,
    ],
    ["deny what they begin, anywhere", { ...run("ls; npm test"), kept: [{ ...npm, decision: "deny" }], mode: ALL }, n],
    [
      "deny files to commands as well",
      { ...run("cat keys/a"), kept: [{ decision: "deny", tool: "read", path: "keys/**" }] },
      n,
    ],
    [
      "deny what cannot be ruled out",
      { ...run("rm k*"), kept: [{ decision: "deny", tool: "write", path: "keys/**" }], mode: ALL },
      q,
    ],
    [
      "deny a program whose words come from elsewhere",
      { ...run("cat list | xargs npm"), kept: [{ ...npm, decision: "deny" }], mode: ALL },
      q,
    ],
    [
      "deny writing to commands as well",
      {
        ...run("echo 1 | tee keys/a"),
        kept: [{ decision: "deny", tool: "write", path: "keys/**" }],
        mode: ALL,
      },
      n,
    ],
  ]);
});
