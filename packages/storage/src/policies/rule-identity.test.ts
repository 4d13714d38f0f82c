// Rules that differ in only one field are stored, listed and removed one by one.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PolicyFile, type PolicyRule, policyMeaning } from "@harness/gate";
import { fileStamp } from "@harness/host";
import { noteFields, rulePairs } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openPolicies, type PolicyText } from "./open-policies.ts";

let base = "";
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "rule-identity-")));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const readAll = (text: string): PolicyText => ({
  rules: PolicyFile.parse(JSON.parse(text)).rules,
  problems: [],
  everythingAsks: false,
});
const open = (read = readAll) =>
  openPolicies({
    configPaths: { root: join(base, "home") },
    cwd: base,
    clock: { now: () => 0 },
    stampOf: fileStamp,
    read,
    trusted: () => false,
  });
function put(path: string, rules: readonly PolicyRule[]): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ version: 1, rules }), { mode: 0o600 });
}
const texts = (rules: readonly { rule: PolicyRule }[]) => rules.map(({ rule }) => policyMeaning(rule));

const pairs = Object.entries(rulePairs);

describe("rules that differ in one field", () => {
  it.each(pairs)("are both in force, and revoking one leaves the other: %s", (_field, [one, other]) => {
    const policies = open();
    put(policies.paths.project, [one, other]);
    const [first, second] = policies.current().rules;
    expect(first?.ruleId).not.toBe(second?.ruleId);
    policies.remove(first?.ruleId ?? "");
    expect(open().current().rules).toMatchObject([{ rule: other }]);
  });

  it.each(pairs.filter(([field]) => !noteFields.includes(field)))(
    "are both saved, and what was saved is returned: %s",
    (_field, [one, other]) => {
      const policies = open();
      for (const rule of [one, other]) {
        const kept = policies.keep([rule]);
        expect("kept" in kept && texts(kept.kept)).toEqual([policyMeaning(rule)]);
      }
      expect(texts(open().current().rules)).toEqual([one, other].map(policyMeaning));
    },
  );
});

it("a rule that the file has but that is not in force is saved again", () => {
  const [rule] = rulePairs.argv;
  const failing = { ...rule, match: ["something else"] };
  // As the gate reads it: a rule that fails its examples is left out.
  const read = (text: string) => {
    const all = readAll(text);
    return { ...all, rules: all.rules.filter(({ match }) => match === undefined) };
  };
  const policies = open(read);
  put(policies.paths.project, [failing]);
  expect(policies.keep([rule])).toMatchObject({ kept: [{ rule: { argv: rule.argv } }] });
  expect(open(read).current().rules).toHaveLength(1);
});

describe("the advice about rules for MCP tools that older versions lost", () => {
  const [old, other] = rulePairs.mcp;
  it("is given once, where an old file has such rules, also after a restart", () => {
    const policies = open();
    expect(policies.advice?.()).toBeUndefined();
    put(policies.paths.user, [rulePairs.argv[0]]);
    expect(policies.advice?.()).toBeUndefined();
    put(policies.paths.user, [old]);
    expect(policies.advice?.()?.description).toContain("/permissions");
    expect([policies.advice?.(), open().advice?.()]).toEqual([undefined, undefined]);
    put(policies.paths.project, [other]);
    expect([policies.advice?.(), open().advice?.()]).toEqual([undefined, undefined]);
  });

  it("is not given for what this version has written", () => {
    open().keep([old]);
    open().keep([other]);
    expect(open().advice?.()).toBeUndefined();
  });

  it("is given for an old file, whatever this version has written since", () => {
    open().add("user", [old]);
    put(open().paths.project, [{ ...other, created: "1969-01-01T00:00:00.000Z" }]);
    expect(open().advice?.()?.title).toContain("MCP");
    expect(open().advice?.()).toBeUndefined();
  });
});
