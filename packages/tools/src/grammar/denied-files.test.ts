import {
  delegatedCommandCases,
  devicePlaceCases,
  elsewhereWritingCases,
  indirectReadCases,
  knownReadCases,
  openedDeviceCases,
  readDenialCases,
  readElsewhereCases,
  spokenOfCases,
  treeWritingCases,
} from "@harness/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { judgeCommand, loadGrammar } from "../../test/judge-command.ts";

beforeAll(loadGrammar);
const rows = (commands: readonly string[]) => commands.map((command) => [command]);
const deny = ["read(foo.txt)"];

describe("a rule that denies reading a file", () => {
  it.each(rows([...readDenialCases, ...indirectReadCases]))("stops or asks about: %s", (command) => {
    for (const allow of [[], ["bash"]])
      expect(judgeCommand(command, { deny, allow, mode: "allow-all" }).decision).not.toBe("allow");
  });
  it.each(rows([...readElsewhereCases, ...knownReadCases]))("leaves alone: %s", (command) => {
    expect(judgeCommand(command, { deny, mode: "allow-all" })).toMatchObject({ decision: "allow" });
  });
  it("denies what is named, and asks about what may be", () => {
    const decide = (command: string) => judgeCommand(command, { deny, mode: "allow-all" });
    expect(decide("cat {foo,bar}.txt")).toMatchObject({ decision: "deny", by: "rule" });
    expect(decide("mytool --file=foo.txt")).toMatchObject({ decision: "deny", by: "rule" });
    const reason = "runs a command that may read what the rule `read(foo.txt)` covers";
    expect(decide("ls | xargs cat")).toMatchObject({ decision: "ask", reason, rule: { text: "read(foo.txt)" } });
  });
  it("sees where a link leads", () => {
    const links = { "/home/me/w/link": "/home/me/w/foo.txt" };
    expect(judgeCommand("mytool link", { deny, mode: "allow-all", links }).decision).toBe("deny");
  });
});

describe("a rule that denies reading a folder", () => {
  it.each(
    rows([
      ...[
        "cat secret/key",
        "find secret -type f -exec wc -c {} +",
        "find . -type f -exec wc {} \\;",
        "cat */key",
        "cat s*/k*",
      ],
      ...[
        "cd secret && cat key",
        "cd s* && cat key",
        "cd $x; cat key",
        "tar c secret | tar t",
        "tar c .",
        "tar c *",
        "cp -r . x",
      ],
      ...[
        "cat {secret,x}/key",
        "cat sec[r]et/key",
        "mytool secret",
        "mytool --dir=secret/",
        "ls secret/*",
        "git show HEAD:secret/key",
      ],
      ...[
        "docker run -v ./secret:/s x cat /s/key",
        "zip -r - secret",
        "rsync -a secret x",
        "head -c1 **/key",
        "cat ./secret/../secret/k",
      ],
    ]),
  )("stops or asks about: %s", (command) => {
    expect(judgeCommand(command, { deny: ["read(secret/**)"], mode: "allow-all" }).decision).not.toBe("allow");
  });
  it.each(
    rows([
      "mytool src/*.ts",
      "tar czf a.tgz src",
      "cp -r src dist",
      "cat src/{a,b}.ts > x",
      "xargs -a list rm",
      "cd src && mytool key",
    ]),
  )("leaves alone: %s", (command) => {
    expect(judgeCommand(command, { deny: ["read(secret/**)"], mode: "allow-all" }).decision).toBe("allow");
  });
});

describe("a rule that denies writing in a folder", () => {
  const rules = { deny: ["write(deploy/**)"], mode: "allow-all" } as const;
  it.each(rows(treeWritingCases))("stops or asks about: %s", (command) => {
    for (const allow of [[], ["bash"]])
      expect(judgeCommand(command, { ...rules, deny: [...rules.deny], allow }).decision).not.toBe("allow");
  });
  it.each(rows(elsewhereWritingCases))("leaves alone: %s", (command) => {
    expect(judgeCommand(command, { ...rules, deny: [...rules.deny] }).decision).toBe("allow");
  });
});

describe("a rule that denies a command", () => {
  it.each(rows(delegatedCommandCases))("holds for programs that another program runs: %s", (command) => {
    expect(judgeCommand(command, { deny: ["bash(git push)"], mode: "allow-all" }).decision).not.toBe("allow");
  });
  it.each(rows(spokenOfCases))("says nothing of a text about it: %s", (command) => {
    expect(judgeCommand(command, { deny: ["bash(git push)"], mode: "allow-all" }).decision).toBe("allow");
  });
});

describe("a device, or a place that git is given", () => {
  it.each(rows(devicePlaceCases))("is asked about in every mode, whatever allows it: %s", (command) => {
    const verdict = judgeCommand(command, { allow: ["bash"], mode: "allow-all" });
    expect(verdict).toMatchObject({ decision: "ask", always: true });
  });
  it.each(rows(openedDeviceCases))("may be opened: %s", (command) => {
    expect(judgeCommand(command, { mode: "allow-all" }).decision).toBe("allow");
  });
});
