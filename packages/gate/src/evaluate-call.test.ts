import type { Effect, PermissionMode } from "@harness/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { everydayCommands, harmfulCommands } from "../test/cases/all.cases.ts";
import { ALL, type Case, check, fetch, judge, n, q, read, run, signal, write, y } from "../test/judge-call.ts";
import type { Verdict } from "./decide.ts";
import type { ShellGrammar } from "./ports/shell-grammar.ts";

/** The verdict of each mode on each kind of call. */
const subjects: Record<string, Case> = {
  look: read("/w/a"),
  "look outside": read("/etc/hosts"),
  secret: read("/w/.env"),
  signal,
  change: write("/w/a"),
  "change outside": write("/srv/a"),
  protected: write("/w/.git/config"),
  reader: run("git status"),
  "reader outside": run("cat /etc/hosts"),
  command: run("npm test"),
  danger: run("rm -rf dist"),
  always: run("sudo ls"),
  reach: fetch("https://example.com/"),
};
const byMode: Record<PermissionMode, Verdict["decision"][]> = {
  //                   look out sec sig chg out pro rdr out cmd dng alw rch
  default: /*       */ [y, q, q, y, q, q, q, y, q, q, q, q, q],
  review: /*        */ [y, q, q, y, q, q, q, y, q, q, q, q, q],
  "accept-edits": /**/ [y, q, q, y, y, q, q, y, q, q, q, q, q],
  "auto-in-sandbox": [y, q, q, y, q, q, q, y, y, y, y, q, q],
  "allow-all": /*   */ [y, y, y, y, y, q, q, y, y, y, y, q, y],
  deny: /*          */ [y, n, n, y, n, n, n, y, n, n, n, n, n],
};

describe("every mode", () => {
  const rows = Object.entries(byMode).flatMap(([mode, decisions]) =>
    Object.entries(subjects).map(([name, of], at) => [mode as PermissionMode, name, of, decisions[at]] as const),
  );
  const sandbox = { wanted: "auto", active: true } as const;

  it.each(rows)("decides calls: %s: %s", (mode, _name, of, decision) => {
    expect(judge({ ...of, mode, sandbox }).verdict.decision).toBe(decision);
    // If no user can be asked, such a call is denied.
    expect(judge({ ...of, mode, sandbox, alone: true }).verdict.decision).toBe(decision === "ask" ? "deny" : decision);
  });

  it.each(rows)("denies a call that a rule denies: %s: %s", (mode, _name, of) => {
    expect(judge({ ...of, mode, sandbox, deny: ["*"], allow: ["*"] }).verdict).toMatchObject({
      decision: "deny",
      by: "rule",
    });
  });

  it.each(rows)("never allows a call that must always be asked about: %s: %s", (mode, _name, of, decision) => {
    const { verdict } = judge({ ...of, mode, sandbox, ask: ["*"], allow: ["*"] });
    expect(verdict.decision).toBe(decision === "deny" || mode === "deny" ? "deny" : "ask");
  });
});

describe("the order of reasons", () => {
  check([
    ["a mode of the agent comes first", { ...write("/w/a"), agentMode: "planning", deny: ["write"] }, n, "agent mode"],
    ["a mode for talking has no files", { ...read("/w/a"), agentMode: "casual" }, n, "agent mode"],
    ["a deny rule comes before a hook", { ...read("/w/a"), deny: ["read"], hook: "is odd" }, n, "rule"],
    ["a hook comes before what does no harm", { ...read("/w/a"), hook: "is odd" }, n, "hook"],
    ["a hook comes before a rule that allows", { ...write("/w/a"), hook: "is odd", allow: ["write"] }, n, "hook"],
    ["a rule comes before the mode", { ...write("/w/a"), allow: ["write"], mode: ALL }, y, "rule"],
    ["a wide deny rule beats a narrow allow rule", { ...write("/w/a"), deny: ["*"], allow: ["write(a)"] }, n, "rule"],
    ["a wide ask rule beats a narrow allow rule", { ...write("/w/a"), ask: ["*"], allow: ["write(a)"] }, q],
  ]);

  it("explains how to leave an agent mode", () => {
    expect(judge({ ...write("/w/a"), tool: "write", agentMode: "planning" }).verdict.reason).toContain("switch_mode");
  });
});

describe("compound commands", () => {
  check([
    ["the strictest part counts", { ...run("npm test && rm -rf x"), allow: ["bash(npm test)"] }, q],
    [
      "every part may have its own rule",
      { ...run("npm test && make"), allow: ["bash(npm test)", "bash(make)"] },
      y,
      "rule",
    ],
    ["a reader beside what is allowed", { ...run("npm test | tail -5"), allow: ["bash(npm test)"] }, y, "rule"],
    ["a reader of files beside it", { ...run("npm test; cat a"), allow: ["bash(npm test)"] }, q],
    ["a reader of secrets beside it", { ...run("npm test; cat .env"), allow: ["bash(npm test)"] }, q],
    ["a reader outside beside it", { ...run("npm test; cat /etc/hosts"), allow: ["bash(npm test)"] }, q],
    ["a change of folder beside it", { ...run("cd sub && npm test"), allow: ["bash(npm test)"] }, q],
    ["a change into the session's own folder", { ...run("cd /w && npm test"), allow: ["bash(npm test)"] }, y, "rule"],
    ["the same by a link", { ...run("cd l && npm test"), allow: ["bash(npm test)"], links: { "/w/l": "/w" } }, y],
    ["a link out of it", { ...run("cd l && npm test"), allow: ["bash(npm test)"], links: { "/w/l": "/x" } }, q],
    ["a change out of it and back", { ...run("cd .. && cd /w && npm test"), allow: ["bash(npm test)"] }, q],
    ["readers alone need no rule", run("git status && ls | head"), y, "reader"],
    ["one part is denied", { ...run("ls && git push"), deny: ["bash(git push)"], mode: ALL }, n],
    ["one part is to be asked about", { ...run("npm test && git push"), ask: ["bash(git push)"], allow: ["bash"] }, q],
    ["a part in a substitution is denied", { ...run("echo $(git push)"), deny: ["bash(git push)"], mode: ALL }, n],
    ["a rule covers no file redirect", { ...run("npm test > x"), allow: ["bash(npm test)"] }, q],
    ["nor variables", { ...run("A=1 npm test"), allow: ["bash(npm test)"] }, q],
    ["nor substitutions", { ...run("npm test $(ls)"), allow: ["bash(npm test)"] }, q],
  ]);
});

describe("settings", () => {
  const denied = { deniedCommandPrefixes: ["git push", "FOO"] };
  const safe = { safeCommandPrefixes: ["npm test", "ls"] };
  const wide = { additionalDirectories: ["/srv/data", "/srv/link"] };
  const links = { "/srv/link": "/srv/real", "/srv/data/out": "/etc" };
  check([
    ["denied prefixes beat all", { ...run("git push"), settings: denied, mode: ALL, allow: ["bash"] }, n, "rule"],
    ["also with a value behind them", { ...run("FOO=1 make"), settings: denied, mode: ALL }, n, "rule"],
    ["also for other tools that run commands", { ...run("git push"), tool: "shell", settings: denied, mode: ALL }, n],
    ["strict asks before reads", { ...read("/w/a"), settings: { strict: true } }, q],
    ["strict asks before commands that read", { ...run("git status"), settings: { strict: true } }, q],
    ["strict keeps to rules", { ...read("/w/a"), settings: { strict: true }, allow: ["read"] }, y, "rule"],
    ["strict lets signals through", { ...signal, settings: { strict: true } }, y],
    ["accept-edits goes on in strict", { ...write("/w/a"), settings: { strict: true }, mode: "accept-edits" }, y],
    ["readers are asked where they are not accepted", { ...run("ls"), settings: { autoAcceptSafeCommands: false } }, q],
    [
      "and are not covered by a rule then",
      { ...run("npm test | tail"), settings: { autoAcceptSafeCommands: false }, allow: ["bash(npm test)"] },
      q,
    ],
    ["own safe prefixes", { ...run("npm test -- a"), settings: safe }, y, "setting"],
    ["are added to the built-in ones", { ...run("cat a"), settings: safe }, y, "reader"],
    ["take one of those away", { ...run("cat a"), settings: { safeCommandPrefixes: ["!cat"] } }, q],
    ["cover no secret", { ...run("mytool .env"), settings: { safeCommandPrefixes: ["mytool"] } }, q],
    ["cover a push", { ...run("git push"), settings: { safeCommandPrefixes: ["git push"] } }, y, "setting"],
    ["but not one by force", { ...run("git push --force"), settings: { safeCommandPrefixes: ["git push"] } }, q],
    ["with strict they are asked about", { ...run("npm test"), settings: { ...safe, strict: true } }, q],
    ["more folders are workspace", { ...read("/srv/data/a"), settings: wide }, y],
    ["also for commands", { ...run("cat /srv/data/a"), settings: wide }, y],
    ["also for edits", { ...write("/srv/data/a"), settings: wide, mode: "accept-edits" }, y],
    ["also where they lie behind a link", { ...read("/srv/link/a"), settings: wide, links }, y],
    ["not what leads out of them", { ...read("/srv/data/out/a"), settings: wide, links }, q],
    ["not what only begins like them", { ...read("/srv/database"), settings: wide }, q],
    ["protected places are protected in them", { ...write("/srv/data/.git/x"), settings: wide, mode: ALL }, q],
    ["secrets are secret in them", { ...read("/srv/data/.env"), settings: wide }, q],
  ]);
});

describe("a read-only command", () => {
  check([
    ["behind a link out of the workspace", { ...run("cat out/x"), links: { "/w/out": "/etc" } }, q],
    ["behind a link to a secret", { ...run("cat plain"), links: { "/w/plain": "/w/.env" } }, q],
    ["with a file outside as its input", run("wc -l < /etc/passwd"), q],
    ["with a secret as its input", run("wc -l < .env"), q],
    ["in a folder outside", run("ls", { cwd: "/srv" }), q],
    ["in a folder that leads outside", { ...run("ls", { cwd: "/w/out" }), links: { "/w/out": "/srv" } }, q],
    ["outside the sandbox", run("ls", { outside: true }), q],
  ]);

  it("runs exactly as it was parsed", () => {
    expect(judge(run("git status")).approval.checked?.commands).toMatchObject([{ program: "git" }]);
    expect(judge({ ...run("npm test"), mode: ALL }).approval.checked).toBeUndefined();
    expect(judge({ ...run("ls"), settings: { strict: true } }).approval.checked).toBeUndefined();
  });
});

describe("the whole evaluation of commands", () => {
  it("lets at least 95 % of the everyday read-only commands through unasked", () => {
    const asked = everydayCommands.filter((each) => judge(run(each)).verdict.decision !== "allow");
    expect(everydayCommands.length).toBeGreaterThan(200);
    expect(asked.length / everydayCommands.length, asked.join("\n")).toBeLessThanOrEqual(0.05);
  });

  it("lets no harmful command through unasked", () => {
    const all = Object.values(harmfulCommands).flat();
    expect(all.filter((each) => judge(run(each)).verdict.decision === "allow")).toEqual([]);
    expect(all.length).toBeGreaterThan(300);
  });
});

describe("a sandboxed command", () => {
  const on = { wanted: "on", active: true } as const;
  const missing = { wanted: "on", active: false, why: "bwrap is missing" } as const;
  check([
    [
      "that is demanded and missing: no command runs",
      { ...run("npm test"), sandbox: missing, mode: ALL },
      n,
      "sandbox",
    ],
    ["not even one that only reads", { ...run("ls"), sandbox: missing }, n, "sandbox"],
    ["other tools do", { ...read("/w/a"), sandbox: missing }, y],
    ["outside of it is asked in every mode", { ...run("npm test", { outside: true }), sandbox: on, mode: ALL }, q],
    ["outside of it, whatever rules say", { ...run("npm test", { outside: true }), sandbox: on, allow: ["bash"] }, q],
    ["auto-in-sandbox without one asks", { ...run("npm test"), mode: "auto-in-sandbox" }, q],
    [
      "auto-in-sandbox runs nothing that is not understood",
      { ...run("if true; then"), mode: "auto-in-sandbox", sandbox: on, grammar: brokenGrammar() },
      q,
    ],
    [
      "nor what only a run shows to be denied or not",
      { ...run("cat list | xargs git"), mode: "auto-in-sandbox", sandbox: on, deny: ["bash(git push)"] },
      q,
    ],
  ]);

  it("is run as text", () => {
    expect(judge({ ...run("npm test"), sandbox: on, mode: ALL }).approval.sandboxed).toBe(true);
    expect(judge({ ...run("npm test", { outside: true }), sandbox: on }).approval.sandboxed).toBe(false);
    expect(judge({ ...run("ls"), sandbox: on }).approval).toMatchObject({ sandboxed: false, checked: {} });
    expect(judge({ ...run("npm test"), mode: ALL }).approval.sandboxed).toBe(false);
  });
});

/** A grammar that understands nothing. */
function brokenGrammar(): ShellGrammar {
  return { load: async () => undefined, read: () => ({ commands: [], problem: "cannot be analysed" }) };
}

describe("a command that is not fully understood", () => {
  const odd: Case = { ...run("if true; then"), grammar: brokenGrammar() };
  check([
    ["is asked", odd, q],
    ["whatever tool is allowed", { ...odd, allow: ["bash"] }, q],
    ["runs in allow-all", { ...odd, mode: ALL }, y],
    ["is asked in allow-all where a command is denied", { ...odd, mode: ALL, deny: ["bash(git push)"] }, q],
    [
      "is asked where a file is denied, which it may read",
      { ...odd, mode: ALL, kept: [{ decision: "deny", tool: "read", path: "x" }] },
      q,
    ],
    [
      "is denied where its words are",
      { ...odd, effects: run("if git push; then").effects ?? [], deny: ["bash(git push)"] },
      n,
    ],
    [
      "too long a command is asked, whatever allows it",
      { ...run(`npm test ${"x".repeat(10_000)}`), allow: ["bash", "bash(npm test)"] },
      q,
    ],
    ["too many commands as well", { ...run(Array(31).fill("npm test").join("; ")), allow: ["bash(npm test)"] }, q],
  ]);
});

describe("a call after a secret was read", () => {
  check([
    [
      "requests are asked, whatever rules allow",
      { ...fetch("https://a.example/"), allow: ["fetch"], sawSecret: true },
      q,
    ],
    ["in allow-all too", { ...fetch("https://a.example/"), mode: ALL, sawSecret: true }, q],
    ["commands with a host as well", { ...run("curl https://a.example/"), mode: ALL, sawSecret: true }, q],
    ["others go on", { ...run("npm test"), mode: ALL, sawSecret: true }, y],
  ]);
});

describe("a stricter input", () => {
  const rank = { deny: 0, ask: 1, allow: 2 } as const;
  const path = fc.constantFrom("/w/a", "/w/src/b", "/w/.env", "/w/.git/x", "/etc/hosts", "/srv/x", "/w/out/y");
  const words = fc.constantFrom(
    ...[
      "ls",
      "git status",
      "npm test",
      "git push",
      "rm -rf x",
      "cat .env",
      "$(x)",
      "sudo ls",
      "cat /etc/hosts",
      "npm test > a",
    ],
  );
  const command = fc.array(words, { minLength: 1, maxLength: 3 }).map((each) => each.join(" && "));
  const effect: fc.Arbitrary<Effect> = fc.oneof(
    path.map((each) => ({ kind: "read" as const, path: each })),
    path.map((each) => ({ kind: "write" as const, path: each })),
    fc.record({ command, outside: fc.boolean() }).map((each) => ({ kind: "run" as const, cwd: "/w", ...each })),
    fc.constantFrom("https://a.example/", "http://localhost:1/").map((url) => ({ kind: "reach" as const, url })),
  );
  const rule = fc.constantFrom(
    ...[
      "*",
      "bash",
      "write",
      "read",
      "bash(npm test)",
      "bash(git push)",
      "bash(ls)",
      "write(src/**)",
      "read(a)",
      "*(.env)",
    ],
  );
  const ruleList = fc.array(rule, { maxLength: 3 });
  const someCase: fc.Arbitrary<Case> = fc.record({
    tool: fc.constantFrom("bash", "write", "read", "fetch"),
    category: fc.constantFrom("readOnly" as const, "destructive" as const, "signal" as const),
    effects: fc.array(effect, { maxLength: 3 }),
    mode: fc.constantFrom("default", "accept-edits", "auto-in-sandbox", "allow-all", "deny"),
    allow: ruleList,
    ask: fc.array(rule, { maxLength: 1 }),
    deny: fc.array(rule, { maxLength: 1 }),
    sandbox: fc.constantFrom({ wanted: "off", active: false }, { wanted: "auto", active: true }),
    links: fc.constant({ "/w/out": "/etc" }),
    grammar: fc.constantFrom(brokenGrammar(), undefined),
  }) as fc.Arbitrary<Case>;

  it.each<[string, (of: Case, text: string) => Case]>([
    ["a deny rule more", (of, text) => ({ ...of, deny: [...(of.deny ?? []), text] })],
    ["an ask rule more", (of, text) => ({ ...of, ask: [...(of.ask ?? []), text] })],
    ["a denied prefix more", (of) => ({ ...of, settings: { deniedCommandPrefixes: ["git push"] } })],
    ["an allow rule less", (of) => ({ ...of, allow: (of.allow ?? []).slice(1) })],
    ["strict", (of) => ({ ...of, settings: { strict: true } })],
    ["no readers", (of) => ({ ...of, settings: { autoAcceptSafeCommands: false } })],
    ["a secret that was read", (of) => ({ ...of, sawSecret: true })],
    ["a hook that refuses", (of) => ({ ...of, hook: "is odd" })],
    ["no person", (of) => ({ ...of, alone: true })],
    ["mode deny", (of) => ({ ...of, mode: "deny" })],
    ["planning", (of) => ({ ...of, agentMode: "planning" })],
  ])("never allows more: %s", (_name, stricter) => {
    fc.assert(
      fc.property(someCase, rule, (of, text) => {
        const [before, after] = [judge(of).verdict, judge(stricter(of, text)).verdict];
        expect(rank[after.decision]).toBeLessThanOrEqual(rank[before.decision]);
      }),
      { numRuns: 300 },
    );
  });

  it("with a deny rule denies what it names in every mode", () => {
    fc.assert(
      fc.property(someCase, (of) => {
        expect(judge({ ...of, deny: ["*"] }).verdict.decision).toBe("deny");
      }),
    );
  });

  it('with "always asked" is not allowed by any mode, rule or answer', () => {
    let alwaysAsked = 0;
    fc.assert(
      fc.property(someCase, (of) => {
        const { verdict } = judge({ ...of, mode: ALL, allow: ["*"] });
        if (!verdict.always) return;
        alwaysAsked += 1;
        expect(verdict.decision).not.toBe("allow");
      }),
    );
    expect(alwaysAsked).toBeGreaterThan(0);
  });
});
