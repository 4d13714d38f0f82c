import { afterEach, expect, it } from "vitest";
import { painterOf } from "../../../test/painter.ts";
import { settled, summaryOf, type TestWindow, testWindow } from "../../../test/scripted-server.ts";
import { textOfRow } from "../../text/style.ts";

const END = "\u001b[F";
const COUNT = 10_000;
let close = (): void => undefined;
afterEach(() => close());

/** Home of a server with 10,000 sessions, which returns at most 500 of them per answer. */
async function opened(columns: number, rows: number) {
  const stored = Array.from({ length: COUNT }, (_, n) => summaryOf(`s${n}`, { title: `work ${n}` }));
  const window: TestWindow = testWindow();
  window.store.set({ size: { columns, rows } });
  window.server.answers["session/list"] = ({ cursor = "0", limit = 500 }) => {
    const [from, to] = [Number(cursor), Number(cursor) + Math.min(500, Number(limit))];
    return { sessions: stored.slice(from, to), total: COUNT, ...(to < COUNT ? { nextCursor: String(to) } : {}) };
  };
  window.controller.start();
  await settled();
  const painter = painterOf(window.store, { wallMs: Date.parse("2026-11-21T15:30:22.000Z") });
  close = () => painter.close();
  const frame = (): string[] => painter.draw().rows.map((row) => textOfRow(row).trimEnd());
  const listed = (): number[] =>
    frame()
      .flatMap((row) => /\bwork (\d+)/.exec(row)?.[1] ?? [])
      .map(Number);
  return { window, frame, listed };
}

it.each([
  [80, 24],
  [200, 60],
])("10,000 sessions fill Home and History at %i×%i, from the newest to the oldest", async (columns, rows) => {
  const { window, frame, listed } = await opened(columns, rows);
  const run = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at);
  expect(frame()).toHaveLength(rows);
  expect(listed()).toEqual(run(0, Math.min(20, rows - 14)));
  window.send("/history\r");
  await settled();
  expect(frame()[0]).toBe(" History  type to search everything said");
  expect(frame()[1]).toMatch(/^ this folder · 10,000 sessions +↓ 9,9\d\d more$/);
  const room = listed().length;
  expect(room).toBeGreaterThanOrEqual(8);
  expect(listed()).toEqual(run(0, room));
  window.send(END);
  for (let round = 0; round < 30; round += 1) await settled();
  expect(frame()).toHaveLength(rows);
  expect(listed()).toEqual(run(COUNT - room, COUNT));
  expect(frame().find((row) => row.includes("›"))).toContain("work 9999");
});
