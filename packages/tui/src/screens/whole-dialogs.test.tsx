import { sample } from "@harness/testkit";
import { expect, it } from "vitest";
import { permission, question, review } from "../../test/asked-window.ts";
import { waitingChat } from "../../test/frame.ts";
import { painterOf } from "../../test/painter.ts";
import type { AppState } from "../state/app-state.ts";
import { withBuffer } from "../state/composer.ts";
import { type Dialog, permissionDialog, questionDialog } from "../state/dialogs.ts";
import { createStore } from "../state/store.ts";
import { trustDialog } from "../state/trust-dialog.ts";
import { textOfRow } from "../text/style.ts";

const long = Array.from({ length: 80 }, (_, at) => `line ${at} of something that is rather long`).join("\n");
const preview = [{ type: "terminal" as const, command: long, output: "", exitCode: null, durationMs: 0 }];
const hunks = (review.review ?? []).map((hunk) => ({ ...hunk, after: long }));
const options = Array.from({ length: 30 }, (_, at) => ({ optionId: `o${at}`, name: `Answer ${at}` }));

const asked: Record<string, Dialog> = {
  "a permission": permissionDialog("s1", permission),
  "a long permission": permissionDialog("s2", { ...permission, agentId: "tester", preview, risk: "high" }),
  "a review": permissionDialog("s1", review),
  "a long review": permissionDialog("s1", { ...review, review: hunks }),
  "a question": questionDialog({ ...question, freeText: true }),
  "a long plan": questionDialog({ ...question, freeText: true, about: long, header: long, part: { at: 1, of: 3 } }),
  "a long question": questionDialog({ ...question, message: long, options, expiresAt: "2026-11-21T15:30:22.000Z" }),
};
const heights = [8, 9, 12, 13, 17, 18, 20, 24, 29, 30, 31, 40];
const sizes = sample(
  heights.flatMap((rows) => [40, 59, 60, 80, 140].map((columns) => ({ columns, rows }))),
  13,
);

const start = waitingChat([80, 24]);
const chat: AppState = {
  ...start,
  notes: Array.from({ length: 4 }, (_, at) => ({ severity: "info" as const, text: `A note ${at}. ${long}` })),
};
const draft = withBuffer(start.composer, start.composer.buffer.insert("my words"));

/** A dialog that never fits in the frame could never be answered. */
it.each(Object.keys(asked))("%s is in the frame in full in every size, and a draft is seen beside it", (name) => {
  const dialog = asked[name];
  if (!dialog) throw new Error("no such dialog");
  const cut: string[] = [];
  for (const size of sizes) {
    for (const composer of [start.composer, draft]) {
      for (const isEntered of [false, true]) {
        const shown = { ...dialog, armed: true, isEntered };
        const state = { ...chat, size, composer, dialogs: [shown] };
        const painter = painterOf(createStore(state));
        const text = painter.draw().rows.map(textOfRow).join("\n");
        const isSeen = composer === start.composer || text.includes("my words");
        if (painter.inView.dialog !== shown || !isSeen)
          cut.push(`${size.columns}×${size.rows}${composer === draft ? " draft" : ""}`);
        painter.close();
      }
    }
  }
  expect(cut).toEqual([]);
});

it("the question of trust is in the frame in every size, with its answers, and a draft below it", () => {
  const items = [{ kind: "hook" as const, path: "hooks/one", detail: long }];
  const trust = {
    ...trustDialog({ root: "/work", state: "untrusted", items, hash: "h" }, { asked: true, problem: "It changed." }),
    armed: true,
  };
  const cut: string[] = [];
  for (const size of sizes) {
    for (const composer of [start.composer, draft]) {
      const painter = painterOf(createStore({ ...start, size, composer, trust }));
      const text = painter.draw().rows.map(textOfRow).join("\n");
      if (!/› ?n +(no|Do not)/.test(text) || (composer === draft && !text.includes("my words")))
        cut.push(`${size.columns}×${size.rows}`);
      painter.close();
    }
  }
  expect(cut).toEqual([]);
});
