import { expect, it } from "vitest";
import { settled, testWindow } from "../../test/scripted-server.ts";

async function notesAfterEdits(total: number): Promise<string[]> {
  const window = testWindow();
  window.server.answers["session/list"] = () => ({ sessions: [], total });
  window.controller.start();
  await settled();
  window.send("go\r");
  await settled();
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
  return window.store.get().notes.map(({ text }) => text);
}

it("names /undo once, after the first edit in a person's first session", async () => {
  expect(await notesAfterEdits(1)).toEqual(["/undo reverts this, what commands did included."]);
  expect(await notesAfterEdits(7)).toEqual([]);
});
