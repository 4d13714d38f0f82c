import { noteFields, rulePairs } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { PolicyRule, policyIdentity, policyMeaning } from "./policy.ts";

describe("two rules that differ in one field", () => {
  it("are given for each field of the schema", () => {
    expect(Object.keys(rulePairs).sort()).toEqual(Object.keys(PolicyRule.shape).sort());
    for (const rule of Object.values(rulePairs).flat()) expect(PolicyRule.safeParse(rule).success).toBe(true);
  });

  it.each(Object.entries(rulePairs))("are two rules: %s", (field, [one, other]) => {
    expect(policyIdentity(one)).not.toBe(policyIdentity(other));
    expect(policyIdentity({ ...one })).toBe(policyIdentity(one));
    expect(policyMeaning(one) === policyMeaning(other)).toBe(noteFields.includes(field));
  });

  it("cover the same when what may follow is only written out, or when their fields are in another order", () => {
    const [rule] = rulePairs.argv;
    expect(policyMeaning({ ...rule, rest: "any" })).toBe(policyMeaning(rule));
    const { tool, ...others } = rule;
    expect(policyIdentity({ ...others, tool })).toBe(policyIdentity(rule));
  });
});
