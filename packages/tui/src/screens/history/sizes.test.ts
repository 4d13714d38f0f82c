import type { SessionSummary } from "@harness/protocol";
import { expect, it } from "vitest";
import { painterOf } from "../../../test/painter.ts";
import { summaryOf } from "../../../test/scripted-server.ts";
import { TextBuffer } from "../../input/index.ts";
import { initialState } from "../../state/app-state.ts";
import { createStore } from "../../state/store.ts";
import { stringWidth } from "../../text/index.ts";
import { textOfRow } from "../../text/style.ts";
import { emptyHistory, type HistoryState } from "./state.ts";

const long = "A title that is longer than any terminal is wide, with 検索 and an emoji 🧪 in it. ".repeat(4);
const sessions = Array.from({ length: 40 }, (_, n) =>
  summaryOf(`s${n}`, { title: `${n} ${long}`, cwd: `/work/${"deep/".repeat(30)}` }),
) as SessionSummary[];
const parts = Array.from({ length: 30 }, (_, n) => ({
  who: n % 2 ? ("agent" as const) : ("user" as const),
  text: long,
  seq: n,
}));
const listed = {
  ...emptyHistory,
  sessions,
  total: 40,
  preview: { sessionId: "s0", agentId: "main", at: undefined, parts },
};

const states: Record<string, HistoryState> = {
  list: listed,
  marked: { ...listed, marked: new Set(["s0", "s1"]), selected: 39 },
  "a title": { ...listed, renaming: TextBuffer.of(long), problem: long },
  "an export": { ...listed, exporting: { folder: TextBuffer.of(long), format: "md" } },
  "a question": { ...listed, asking: { yes: false, about: "delete" as const } },
  "a problem": { ...listed, problem: long },
  "the preview alone": { ...listed, reading: true },
  nothing: { ...emptyHistory, sessions: [], filter: "words", foundBy: undefined },
};

it.each(Object.keys(states).flatMap((name) => [40, 41, 60, 95, 96, 200].map((columns) => [name, columns] as const)))(
  "%s fits into %i columns, at every height, with its last row in view",
  (name, columns) => {
    for (const rows of [8, 12, 16, 24, 60]) {
      const start = initialState({ cwd: "/work", version: "1.2.3", size: { columns, rows } });
      const history = states[name];
      const store = createStore({ ...start, screen: "history", slices: history ? { history } : {} });
      const painter = painterOf(store, { wallMs: Date.parse("2026-11-21T15:30:22.000Z") });
      const lines = painter.draw().rows.map((row) => textOfRow(row).trimEnd());
      painter.close();
      expect(lines).toHaveLength(rows);
      expect(Math.max(...lines.map(stringWidth))).toBeLessThanOrEqual(columns);
      expect(lines[0]).toMatch(/^ History/);
      const hint = lines.slice(-6).join(" ");
      expect(hint).toMatch(/Esc|Keep|in it\.|Enter/);
    }
  },
);
