import { expect, it } from "vitest";
import { settled, testWindow } from "../../../test/scripted-server.ts";

async function shown(path: string) {
  const window = testWindow();
  const file = (name: string) => ({
    path: name,
    change: "modify",
    added: 1,
    removed: 0,
    hunks: `@@ -1 +1 @@\n+${name}`,
  });
  window.server.answers["session/diff"] = ({ offset }) =>
    offset === 0 ? { files: [file("a.ts")], nextOffset: 1 } : { files: [file("b.ts")] };
  window.controller.start();
  await settled();
  window.send("hello\r");
  await settled();
  window.controller.showFile(path);
  await settled();
  return window.store.get();
}

it("shows the changes of a file that was clicked, wherever it stands in the list", async () => {
  for (const path of ["a.ts", "b.ts"]) {
    expect((await shown(path)).overlay).toMatchObject({ title: path, text: `@@ -1 +1 @@\n+${path}`, look: "diff" });
  }
});

it("says so if a file no longer has changes", async () => {
  const { overlay, notes } = await shown("c.ts");
  expect(overlay).toBeUndefined();
  expect(notes.at(-1)?.text).toBe("c.ts is as it was before the session: its changes were undone.");
});
