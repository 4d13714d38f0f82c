import { describe, expect, it } from "vitest";
import type { Permission, PermissionOutcome } from "../vocabulary/permission.ts";
import type { Fact, StoredFact } from "../vocabulary/updates.ts";
import { fold } from "./session-state.ts";

const path = "/w/a.ts";
const staged = (standing: "waiting" | "taken" | "ended"): Fact => ({
  sessionUpdate: "staged_update",
  files: [{ path, base: "b", content: "c", standing }],
});
const edit: Fact = {
  sessionUpdate: "tool_call_update",
  toolCallId: "c1",
  name: "edit",
  status: "completed",
  outcome: {
    status: "ok",
    text: "ok",
    blocks: [{ type: "diff", path, change: "modify", hunks: "", added: 1, removed: 1 }],
    durationMs: 1,
  },
};
const permission: Permission = {
  permissionId: "p1",
  agentId: "main",
  toolCallId: "p1",
  tool: "review",
  title: "review 2 changes in 1 file",
  reason: "writes the changes that you take",
  risk: "medium",
  effects: [],
  preview: [],
  options: [
    { optionId: "take", name: "Take all", kind: "allow_once" },
    { optionId: "reject", name: "Reject all", kind: "reject_once" },
  ],
  review: ["1", "2"].map((hunkId) => ({ hunkId, path, change: "modify", line: 1, before: "a\n", after: "b\n" })),
};
const resolved = (outcome: PermissionOutcome): Fact => ({
  sessionUpdate: "permission_resolved",
  permissionId: "p1",
  toolCallId: "p1",
  outcome,
  by: "window",
});

function reviewAfter(...facts: Fact[]): unknown {
  const stored = facts.map((update, n): StoredFact => ({ seq: n + 1, at: "", agentId: "main", turnId: "t1", update }));
  const [item] = fold("s", stored).agents.get("main")?.items ?? [];
  return item?.kind === "tool" ? item.review : item;
}

describe("an edit of a session whose edits are reviewed", () => {
  const begun = [staged("waiting"), edit, { sessionUpdate: "permission_requested" as const, permission }];

  it("waits from its end on", () => {
    expect(reviewAfter(edit)).toBeUndefined();
    expect(reviewAfter(staged("waiting"), edit)).toEqual({ state: "waiting" });
  });

  it.each<[string, PermissionOutcome, object]>([
    ["all taken", { outcome: "selected", optionId: "take" }, { taken: 2, of: 2, reasons: [] }],
    [
      "all rejected with a reason",
      { outcome: "selected", optionId: "reject", feedback: "keep it" },
      { taken: 0, of: 2, reasons: ["keep it"] },
    ],
    [
      "one of two",
      {
        outcome: "selected",
        optionId: "take",
        hunks: [{ hunkId: "2", take: false, feedback: " why? " }],
      },
      { taken: 1, of: 2, reasons: ["why?"] },
    ],
  ])("has the decision: %s", (_, outcome, decision) => {
    const expected = { state: "decided", ...decision };
    expect(reviewAfter(...begun, resolved(outcome))).toEqual(expected);
    expect(reviewAfter(...begun, resolved(outcome), staged("taken"), staged("ended"))).toEqual(expected);
  });

  it("still waits after the review was put off, and was not written if it ends undecided", () => {
    expect(reviewAfter(...begun, resolved({ outcome: "cancelled" }))).toEqual({ state: "waiting" });
    expect(reviewAfter(...begun, staged("ended"))).toEqual({ state: "dropped" });
  });
});
