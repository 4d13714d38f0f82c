import { decideHunk, NO_PROGRESS } from "@harness/client/actions";
import type { Permission } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { type FrameSize, frameOf } from "../../test/frame.ts";
import { permissionDialog } from "../state/dialogs.ts";

const review: NonNullable<Permission["review"]> = [
  {
    hunkId: "1.1",
    path: "/work/demo/src/a.ts",
    change: "modify",
    line: 2,
    before: "const a = 1;\n",
    after: "const a = 2;\n",
  },
  {
    hunkId: "1.2",
    path: "/work/demo/src/a.ts",
    change: "modify",
    line: 40,
    before: "",
    after: "log(a);\n",
    agents: ["main", "agent-2"],
  },
  {
    hunkId: "2.1",
    path: "/work/demo/src/new.ts",
    change: "create",
    line: 1,
    before: "",
    after: "export {};\n".repeat(60),
  },
];
const permission: Permission = {
  permissionId: "p1",
  agentId: "main",
  toolCallId: "p1",
  tool: "review",
  title: "review 3 changes in 2 files",
  reason: "writes the changes that you take",
  risk: "medium",
  effects: [],
  preview: [],
  options: [
    { optionId: "take", name: "Take all", kind: "allow_once" },
    { optionId: "reject", name: "Reject all", kind: "reject_once" },
  ],
  review,
};
const dialog = { ...permissionDialog("s1", permission), armed: true };
const begun = decideHunk(NO_PROGRESS, review, { take: true });
const told = decideHunk(begun, review, { take: false, feedback: "no logging" });
const sizes: FrameSize[] = [
  [80, 24],
  [120, 36],
  [200, 60],
];

describe("the queue of a review", () => {
  it.each(sizes)("at %i x %i shows the changes, the one in view, and what each key does", (...size) => {
    for (const progress of [NO_PROGRESS, told]) {
      const lines = frameOf(size, { dialogs: [{ ...dialog, review: progress }] });
      expect(lines.length).toBe(size[1]);
      expect(lines.join("\n")).toMatchSnapshot();
    }
  });

  it("says what Escape does: a turn stops only where one runs", () => {
    const rest = frameOf([80, 24], { dialogs: [dialog], turnSinceMs: undefined, session: undefined }).join("\n");
    expect(rest).toMatch(/Esc later +│/);
    expect(frameOf([80, 24], { dialogs: [dialog] }).join("\n")).toContain("Esc later, stops the turn");
  });
});
