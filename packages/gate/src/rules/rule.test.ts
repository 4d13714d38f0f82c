import type { Effect } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { viewCommand } from "../command/command-view.ts";
import { hostOfUrl } from "../places/url-host.ts";
import type { ResolvedEffect } from "../resolved-effect.ts";
import { parseRule, type Rule, ruleAllows, ruleFromText, ruleTouches } from "./rule.ts";
import type { RuleTool } from "./rule-tool.ts";

function rule(text: string, decision: Rule["decision"]): Rule {
  const parsed = parseRule(text);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return ruleFromText(parsed, decision, { scope: "run", where: "a test" });
}

function resolved(effect: Effect): ResolvedEffect {
  if (effect.kind !== "run") return { effect };
  return { effect, command: viewCommand(effect, { roots: ["/w"], prefixes: null, real: (path) => path }, effect) };
}

const run = (command: string): Effect => ({ kind: "run", command, cwd: "/w" });
const at = (path: string): Effect => ({ kind: "read", path });
const allows = (text: string, tool: string, effect: Effect) =>
  ruleAllows(rule(text, "allow"), tool, resolved(effect), "/w");
const denies = (text: string, tool: string, effect: Effect) =>
  ruleTouches(rule(text, "deny"), tool, [resolved(effect)], ["/w"]);

describe("a rule as people write it", () => {
  it.each([
    ["bash", { text: "bash", tool: "bash" }],
    [" Bash ", { text: "Bash", tool: "bash" }],
    ["*", { text: "*", tool: "*" }],
    ["bash(npm test)", { text: "bash(npm test)", tool: "bash", pattern: "npm test" }],
    ["bash(npm test:*)", { text: "bash(npm test:*)", tool: "bash", pattern: "npm test" }],
    ["bash(npm test *)", { text: "bash(npm test *)", tool: "bash", pattern: "npm test" }],
    ["bash(*)", { text: "bash(*)", tool: "bash" }],
    ["bash(echo (a))", { text: "bash(echo (a))", tool: "bash", pattern: "echo (a)" }],
    ["web-fetch(example.com)", { text: "web-fetch(example.com)", tool: "web-fetch", pattern: "example.com" }],
  ])("is parsed: %j", (text, parsed) => {
    expect(parseRule(text)).toEqual(parsed);
  });

  it.each([
    ["", "cannot be read"],
    ["bash(", "cannot be read"],
    ["bash(npm test", "cannot be read"],
    ["two words", "cannot be read"],
    ["bash()", "empty pattern"],
    ["read(~/.ssh/**)", "write the path out"],
    ["bash(npm*)", "the beginning of a command"],
    ["bash(*push*)", "the beginning of a command"],
    ["bash(npm ru?)", "`bash(npm run)`"],
    ["bash([ -f x ])", "the beginning of a command"],
    ["bash(rm {a,b})", "the beginning of a command"],
    ["bas*", "only `*` by itself"],
    ["*sh(rm)", "only `*` by itself"],
    ["read(../other/**)", "`..`"],
    ["read(src/../../x)", "`..`"],
    ["read({a,b}.txt)", "`{}` or `[]`"],
    ["write([ab].txt)", "`{}` or `[]`"],
  ])("is rejected with a message: %j", (text, words) => {
    expect(parseRule(text)).toEqual({ problem: expect.stringContaining(words) });
  });
});

describe("a rule about an unknown tool", () => {
  it("is reported with the available tools", () => {
    expect(parseRule("shell(rm)", [{ name: "bash" }, { name: "read" }])).toEqual({
      problem: "The rule `shell(rm)` names an unknown tool: there is no `shell`; the tools are bash, read.",
    });
  });
  it("is not assumed for a tool name in other letters, or for all tools", () => {
    expect(parseRule("Bash(rm)", [{ name: "bash" }])).toMatchObject({ tool: "bash" });
    expect(parseRule("*", [{ name: "bash" }])).toMatchObject({ tool: "*" });
  });

  it("about a network tool must name a host", () => {
    const tools: RuleTool[] = [{ name: "fetch", subject: "host" }];
    for (const host of ["https://a.example", "a.example/docs", "a.example:8*", ".a.example", "a b", "me@a.example"])
      expect(parseRule(`fetch(${host})`, tools)).toEqual({ problem: expect.stringContaining("names no host") });
    for (const host of ["*.a.example:8443", "[::1]:3000", "münchen.de"])
      expect(parseRule(`fetch(${host})`, tools)).toMatchObject({ pattern: host });
  });
});

describe("an allowed command prefix", () => {
  it.each([
    ["bash(npm test)", "npm test", true],
    ["bash(npm test)", "  npm test  ", true],
    ["bash(npm test)", "npm test --run a", true],
    ["bash(npm test)", "npm\ttest", true],
    ["bash(npm test)", "'npm' test", false],
    ["bash(npm test)", "npm 'test' --x", true],
    ["bash(npm test)", "npm test 2>&1", true],
    ["bash(npm test)", "npm test && npm test --all", true],
    ["bash(npm test)", "npm test | npm test", true],
    ["bash(npm test)", "npm te*", false],
    ["bash(npm test)", "LC_ALL=C npm test", false],
    ["bash(./gradlew test)", "./gradlew test --info", true],
    ["bash(./gradlew test)", "./gradlew test; ls", false],
    ["bash(./gradlew test)", "./gradlew test \u202e", false],
    ["bash(npm test)", "npm tests", false],
    ["bash(npm test)", "npm run test", false],
    ["bash(npm test)", "npm test;ls", false],
    ["bash(npm test)", "npm test & ls", false],
    ["bash(npm test)", "npm test | tee x", false],
    ["bash(npm test)", "npm test > x", false],
    ["bash(npm test)", "npm test < x", false],
    ["bash(npm test)", "npm test $(ls)", false],
    ["bash(npm test)", "npm test $X", false],
    ["bash(npm test)", "npm test `ls`", false],
    ["bash(npm test)", "npm test\nls", false],
    ["bash(npm test)", "npm test {a,b}", false],
    ["bash(npm test)", "(npm test)", false],
    ["bash(npm test)", "X=1 npm test", false],
    ["bash(npm test)", "npm test\\\nls", false],
    ["bash(npm test)", "npm test\u000bls", false],
    ["bash(npm test)", "npm test\u2028ls", false],
    ["write(npm test)", "npm test", false],
  ])("decides %s: %j %s", (text, command, expected) => {
    expect(allows(text, "bash", run(command))).toBe(expected);
  });
});

describe("a denied command prefix", () => {
  it.each([
    ["git push", true],
    ["git push origin main", true],
    ["git status", false],
    ["ls; git push", true],
    ["ls && git push", true],
    ["ls | git push", true],
    ["echo $(git push)", true],
    ["echo `git push`", true],
    ["(git push)", true],
    ["{ git push; }", true],
    ["if true; then git push; fi", true],
    ["git  push", true],
    ['"git" push', true],
    ["g\\it push", true],
    ["/usr/bin/git push", true],
    ["X=1 git push", true],
    ["sudo git push", true],
    ["sudo -E env A=1 git push", true],
    ["timeout 5 git push", true],
    ["nohup git push &", true],
    ["bash -c 'git push'", true],
    ["xargs git push", true],
    ["ls\ngit push", true],
    ["git -C . push", true],
    ["git -c a=b --no-pager push", true],
    ["git --git-dir=.git push", true],
    ["git --git-dir .git --work-tree . push", true],
    ["GIT_DIR=x git push", true],
    ["git \\\n push", true],
    ["g\\\nit push", true],
    ["echo a\\\\\ngit push", true],
    ["ls # \\\ngit push", true],
    ["{git,push}", true],
    ["if git push; then :; fi", true],
    ["while ! git push; do :; done", true],
    ["elif git push", true],
    ["env -u A -C /tmp git push", true],
    ["env -S 'git push'", true],
    ["timeout -s KILL 5 git push", true],
    ["flock /tmp/l git push", true],
    ["sudo -u me git push", true],
    ["exec -a z git push", true],
    ["bash -o errexit -c 'git push'", true],
    ["find . -exec git push {} +", true],
    ["xargs -a l git push", true],
    ["my-wrapper --fast git -C x push", true],
    ["npm test && echo git push", false],
    ["echo git push", false],
    ["grep -rn 'git push' docs | head", false],
    ["rg --pre git push", false],
    ["git pushy", false],
    ["git -C push status", false],
  ])("decides, for git push: %j %s", (command, expected) => {
    expect(denies("bash(git push)", "bash", run(command))).toBe(expected);
  });

  it("matches shell characters anywhere", () => {
    expect(denies("bash(rm -rf $HOME)", "bash", run("ls && rm -rf $HOME"))).toBe(true);
  });
});

describe("a path pattern", () => {
  it.each([
    ["read(a.ts)", "/w/a.ts", true, true],
    ["read(a.ts)", "/w/deep/a.ts", true, true],
    ["read(./a.ts)", "/w/a.ts", true, true],
    ["read(a.ts)", "/other/a.ts", false, false],
    ["read(*.ts)", "/w/deep/a.ts", true, true],
    ["read(*.ts)", "/w/a.tsx", false, false],
    ["read(src/**)", "/w/src", true, true],
    ["read(src/**)", "/w/src/deep/a", true, true],
    ["read(src/**)", "/w/src2/a", false, false],
    ["read(src/*)", "/w/src/deep/a", false, false],
    ["read(**/a.ts)", "/w/a.ts", true, true],
    ["read(**/a.ts)", "/w/x/y/a.ts", true, true],
    ["read(**)", "/w/x/y", true, true],
    ["read(**)", "/etc/hosts", false, false],
    ["read(/etc/**)", "/etc/hosts", true, true],
    ["read(src)", "/w/src/a", true, true],
    ["read(src/)", "/w/src/a", true, true],
    ["read(src/)", "/w/src", true, true],
    ["read(src)", "/w/lib/src/a", false, true],
    ["read(src/deep)", "/w/src/deep/a/b", true, true],
    ["read(src/deep/)", "/w/src/deep/a", true, true],
    ["read(src/deep)", "/w/src/deeper/a", false, false],
    ["read(/etc)", "/etc/hosts", true, true],
    ["read(/etc/)", "/etc/ssl/x", true, true],
    ["read(//etc/**)", "/etc/hosts", true, true],
    ["read(/etc)", "/etcetera", false, false],
    ["read(.)", "/w/x/y", true, true],
    ["read(./src//a)", "/w/src/a", true, true],
    ["read(/)", "/etc/hosts", true, true],
    ["read(SRC/**)", "/w/src/a", false, true],
    ["read(a?c)", "/w/abc", true, true],
    ["read(a+c)", "/w/aac", false, false],
  ])("matches %s on %s: allows %s, denies %s", (text, path, allowed, denied) => {
    expect(allows(text, "read", at(path))).toBe(allowed);
    expect(denies(text, "read", at(path))).toBe(denied);
  });
});

describe("a denied path", () => {
  const wrote = (path: string): Effect => ({ kind: "write", path });
  it.each([
    ["write(src/**)", "edit", wrote("/w/src/a"), true],
    ["edit(src)", "write", wrote("/w/src/a"), true],
    ["edit(src)", "patch", wrote("/w/src/a"), true],
    ["read(secrets)", "grep", at("/w/secrets/a"), true],
    ["read(secrets)", "edit", wrote("/w/secrets/a"), false],
    ["write(src)", "grep", at("/w/src/a"), false],
    ["grep(secrets)", "read", at("/w/secrets/a"), false],
    ["write", "edit", wrote("/w/src/a"), false],
    ["write(src/**)", "bash", run("src/a"), false],
  ])("matches %s on %s %j: %s", (text, tool, effect, expected) => {
    expect(denies(text, tool, effect)).toBe(expected);
  });

  it("covers more than an allowed one, which applies to its tool only", () => {
    expect(allows("write(src)", "edit", wrote("/w/src/a"))).toBe(false);
  });
});

describe("a host pattern", () => {
  it.each([
    ["https://example.com/a", "example.com"],
    ["https://EXAMPLE.com.:443?x", "example.com"],
    ["https://a@evil.example/", "evil.example"],
    ["https://example.com@evil.example/", "evil.example"],
    ["https://evil.example\\@example.com/", "evil.example"],
    ["no url", undefined],
    ["https://", undefined],
  ])("is read: %s", (url, host) => {
    expect(hostOfUrl(url)).toBe(host);
  });

  it.each([
    ["fetch(example.com)", "https://example.com/x", true],
    ["fetch(example.com)", "https://docs.example.com/x", false],
    ["fetch(*.example.com)", "https://docs.example.com/x", true],
    ["fetch(*.example.com)", "https://badexample.com/x", false],
    ["fetch(example.com)", "nonsense", false],
    ["fetch(EXAMPLE.com.)", "https://example.com/", true],
    ["fetch(münchen.de)", "https://xn--mnchen-3ya.de/", true],
    ["fetch(*.xn--mnchen-3ya.de:8443)", "https://a.MÜNCHEN.de:8443/", true],
  ])("matches %s on %s %s", (text, url, expected) => {
    expect(allows(text, "fetch", { kind: "reach", url })).toBe(expected);
  });
});
