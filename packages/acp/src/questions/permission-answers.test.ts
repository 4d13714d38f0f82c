import type { Permission, PermissionOption } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { answerOptions, deniedOutcome, permissionOutcome } from "./permission-answers.ts";

const option = (kind: PermissionOption["kind"], name: string, covers?: string): PermissionOption => ({
  optionId: kind,
  name,
  kind,
  ...(covers === undefined ? {} : { covers }),
});
const options = [
  option("allow_once", "Yes, once"),
  option("allow_turn", "Yes, until this turn ends"),
  option("allow_session", "Yes, in this session", "`edit` of a.txt"),
  option("allow_always", "Yes, always for `edit` of a.txt", "`edit` of a.txt, in this project"),
  option("reject_once", "No"),
  option("reject_always", "Never for `edit` of a.txt", "`edit` of a.txt, in this project"),
];
// Only the options count.
const permission = { options } as unknown as Permission;

describe("the options of a question", () => {
  it("are of the kinds that the protocol knows, and name the rule that they become", () => {
    expect(answerOptions(permission)).toEqual([
      { optionId: "allow_once", kind: "allow_once", name: "Yes, once" },
      { optionId: "allow_turn", kind: "allow_always", name: "Yes, until this turn ends" },
      { optionId: "allow_session", kind: "allow_always", name: "Yes, in this session (`edit` of a.txt)" },
      { optionId: "allow_always", kind: "allow_always", name: "Yes, always for `edit` of a.txt, in this project" },
      { optionId: "reject_once", kind: "reject_once", name: "No" },
      { optionId: "reject_always", kind: "reject_always", name: "Never for `edit` of a.txt, in this project" },
    ]);
  });
});

describe("the answer of a client", () => {
  it.each([
    ["allow_turn", { outcome: "selected", optionId: "allow_turn" }],
    ["yes-to-all", { outcome: "selected", optionId: "reject_once" }],
  ])("%s counts only if it was offered", (optionId, outcome) => {
    expect(permissionOutcome(permission, { outcome: { outcome: "selected", optionId } })).toEqual(outcome);
  });

  it("may be none, which denies", () => {
    expect(permissionOutcome(permission, { outcome: { outcome: "cancelled" } })).toEqual({ outcome: "cancelled" });
    expect(deniedOutcome(permission, "why")).toEqual({ outcome: "selected", optionId: "reject_once", feedback: "why" });
    expect(deniedOutcome({ options: [] })).toEqual({ outcome: "cancelled" });
  });
});
