import { expect, it } from "vitest";
import { ask, chatWindow, review } from "../../../test/asked-window.ts";
import { ESCAPE, settled } from "../../../test/scripted-server.ts";

it("a review that was left for later still has its decisions, for the changes that are the same", async () => {
  const window = await chatWindow();
  const [first, second] = review.review ?? [];
  if (!first || !second) throw new Error("The review has two changes.");
  ask(window, review);
  window.clock.advance(1000);
  for (const key of ["n", "\r"]) window.send(key);
  expect(window.store.get().dialogs).toMatchObject([{ review: { at: 1 } }]);
  window.send(ESCAPE);
  await settled();
  expect(window.store.get().dialogs).toEqual([]);
  const later = ask(window, {
    ...review,
    permissionId: "p2",
    review: [
      { ...second, hunkId: "8" },
      { ...first, hunkId: "9" },
    ],
  });
  const answers = new Map([["9", { hunkId: "9", take: false }]]);
  expect(window.store.get().dialogs).toMatchObject([{ review: { at: 0, answers } }]);
  window.clock.advance(1000);
  for (const key of ["x", "\r"]) window.send(key);
  await settled();
  expect(later.value).toMatchObject({ hunks: [{ hunkId: "9", take: false }] });
  ask(window, { ...review, permissionId: "p3", review: [{ ...first, after: "other\n" }] });
  expect(window.store.get().dialogs[0]).not.toHaveProperty("review");
});
