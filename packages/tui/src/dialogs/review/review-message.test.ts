import type { Permission, PermissionOutcome } from "@harness/protocol";
import { expect, it } from "vitest";
import { settled, testWindow } from "../../../test/scripted-server.ts";

const permission: Permission = {
  permissionId: "p1",
  agentId: "main",
  toolCallId: "p1",
  tool: "review",
  title: "review 1 change in 1 file",
  reason: "writes the changes that you take",
  risk: "medium",
  effects: [],
  preview: [],
  options: [
    { optionId: "take", name: "Take all", kind: "allow_once" },
    { optionId: "reject", name: "Reject all", kind: "reject_once" },
  ],
  review: [{ hunkId: "1.1", path: "/work/a.ts", change: "modify", line: 2, before: "a\n", after: "b\n" }],
};

it.each(["keep all of it", "/pending", "!make a"])(
  "a review leaves %j to the input and decides nothing",
  async (words) => {
    const window = testWindow();
    window.controller.start();
    await settled();
    window.send("hello\r");
    await settled();
    window.clock.advance(5000);
    const answers: PermissionOutcome[] = [];
    void window.server.listeners
      ?.onPermission({ sessionId: "s1", permission }, new AbortController().signal)
      .then((answer) => answers.push(answer));
    window.clock.advance(1000);
    for (const key of words) {
      window.send(key);
      window.clock.advance(500);
    }
    await settled();
    expect(answers).toEqual([]);
    expect(window.store.get().dialogs).toMatchObject([{ id: "p1", armed: true }]);
    expect(window.store.get().composer.buffer.text).toBe(words);
  },
);
