import { expect, it } from "vitest";
import { settled, type TestWindow, testWindow } from "../../test/scripted-server.ts";

async function chat(isDue: boolean): Promise<TestWindow> {
  const window = testWindow();
  window.server.answers["undo/hint"] = () => ({ isDue });
  window.controller.start();
  await settled();
  window.send("go\r");
  await settled();
  return window;
}

const notes = ({ store }: TestWindow): string[] => store.get().notes.map(({ text }) => text);

async function notesAfterEdits(isDue: boolean): Promise<string[]> {
  const window = await chat(isDue);
  const files = [{ path: "a", change: "modify" as const, added: 1, removed: 0 }];
  for (const seq of [1, 2]) {
    const turn = {
      sessionUpdate: "turn_changes" as const,
      before: `k${seq}`,
      after: `k${seq + 1}`,
      files,
      moreFiles: 0,
    };
    window.server.update("s1", seq, { ...turn, added: 1, removed: 0 });
    await settled();
  }
  return notes(window);
}

it("names /undo after the first edit, if the person was not told before", async () => {
  expect(await notesAfterEdits(true)).toEqual(["/undo reverts this, what commands did included."]);
  expect(await notesAfterEdits(false)).toEqual([]);
});

it("names it with the edit, while the turn goes on, and not for what only shows a change", async () => {
  const window = await chat(true);
  const block = { type: "diff" as const, path: "a", change: "modify" as const, hunks: "", added: 1, removed: 0 };
  const ended = async (seq: number, status: "ok" | "error"): Promise<void> => {
    const outcome = { status, text: "done", blocks: [block], durationMs: 1 };
    const update = { sessionUpdate: "tool_call_update" as const, toolCallId: `t${seq}`, outcome };
    window.server.update("s1", seq, { ...update, status: status === "ok" ? "completed" : "failed" });
    await settled();
  };
  await ended(1, "error");
  expect(notes(window)).toEqual([]);
  await ended(2, "ok");
  expect(notes(window)).toEqual(["/undo reverts this, what commands did included."]);
});
