import { afterEach, expect, it, vi } from "vitest";
import { painterOf } from "../../../test/painter.ts";
import { ESCAPE, settled, summaryOf, testWindow } from "../../../test/scripted-server.ts";
import { textOfRow } from "../../text/style.ts";
import { historySlice } from "./state.ts";

const DELETE = "\u001b[3~";
const DOWN = "\u001b[B";
const CTRL_A = "\u0001";
const CTRL_G = "\u0007";
const CTRL_O = "\u000f";
const CTRL_T = "\u0014";
const CTRL_UNDERSCORE = "\u001f";
const SHIFT_TAB = "\u001b[Z";
const END = "\u001b[F";
const HOME = "\u001b[H";
const PAGE_UP = "\u001b[5~";
const PAGE_DOWN = "\u001b[6~";

let close = (): void => undefined;
afterEach(() => close());

const soon = async (): Promise<void> => {
  for (let round = 0; round < 12; round += 1) await settled();
};

type Summary = ReturnType<typeof summaryOf>;

async function inHistory(sections: { current?: Summary[]; archive?: Summary[]; bin?: Summary[] }, columns = 80) {
  const window = testWindow();
  window.store.set({ size: { columns, rows: 24 } });
  window.server.answers["session/list"] = ({ cursor = "0", limit = 50, archived, deleted }) => {
    const all = (deleted ? sections.bin : archived ? sections.archive : sections.current) ?? [];
    const [from, to] = [Number(cursor), Number(cursor) + Number(limit)];
    return {
      sessions: all.slice(from, to),
      total: all.length,
      ...(to < all.length ? { nextCursor: String(to) } : {}),
    };
  };
  for (const method of ["session/archive", "session/delete", "session/restore"] as const)
    window.server.answers[method] = () => ({});
  window.controller.start();
  await settled();
  window.send("/history\r");
  await soon();
  const painter = painterOf(window.store, { wallMs: Date.parse("2026-11-21T15:30:22.000Z") });
  close = () => painter.close();
  return {
    window,
    history: () => historySlice.of(window.store.get()),
    frame: (): string[] => painter.draw().rows.map((row) => textOfRow(row).trimEnd()),
  };
}

const many = (count: number): Summary[] =>
  Array.from({ length: count }, (_, n) => summaryOf(`s${n}`, { title: `work ${n}` }));
const binned = (id: string, daysLeft: number): Summary =>
  summaryOf(id, {
    title: `about ${id}`,
    preview: `question of ${id}`,
    answer: "The answer.",
    turns: 4,
    deleted: { at: "2026-11-20T15:30:22.000Z", daysLeft },
  });

it("all means also the sessions that are not loaded yet; many are asked about first, with their number", async () => {
  const { window, history, frame } = await inHistory({ current: many(1_200) });
  expect(history().sessions?.length).toBeLessThan(600);
  window.send(CTRL_A);
  await soon();
  expect(frame()[1]).toContain("✓ 1,200 marked");
  window.send(CTRL_T);
  expect(frame().join("\n").replace(/\s+/g, " ")).toContain("Archive 1,200 marked sessions?");
  window.send(ESCAPE);
  await soon();
  window.send(CTRL_G);
  expect(frame().join("\n")).toContain("1,200 marked sessions · Format: md");
  window.send(ESCAPE);
  await soon();
  expect(window.server.paramsOf("session/archive")).toEqual([]);
  window.send(CTRL_A);
  await soon();
  expect(history().marked.size).toBe(0);
  window.send(CTRL_A);
  await soon();
  window.send(`${CTRL_T}\t\r`);
  await soon();
  await vi.waitUntil(() => history().working === undefined, { timeout: 60_000 });
  expect(window.server.paramsOf("session/archive")).toHaveLength(1_200);
});

it("the bin is behind the archive, with the days that each session has left; Enter restores one", async () => {
  const bin = [binned("a", 29), binned("b", 1), binned("c", 0)];
  const { window, frame, history } = await inHistory({ current: many(2), bin }, 120);
  window.send(SHIFT_TAB + SHIFT_TAB);
  await soon();
  expect(window.server.paramsOf("session/list").at(-1)).toMatchObject({ deleted: true });
  expect(frame()[1]).toBe(" this folder · bin · 3 sessions");
  const text = frame().join("\n");
  expect(text).toMatch(/about a .*29 days left[\s\S]*about b .*1 day left[\s\S]*about c .*goes today/);
  expect(text).toContain("It goes for good in 29 days.");
  expect(text).toMatch(/> question of a[\s\S]*The answer\./);
  expect(window.server.paramsOf("session/history")).toEqual([]);
  expect(text).toContain("Enter restore");
  window.send(`${DOWN}\r`);
  await soon();
  expect(window.server.paramsOf("session/restore")).toEqual([{ sessionId: "b" }]);
  expect(window.store.get().screen).toBe("history");
  expect(frame().join("\n")).toContain("1 session restored. · Ctrl+_ takes it back");
  window.send(CTRL_UNDERSCORE);
  await soon();
  expect(window.server.paramsOf("session/delete")).toEqual([{ sessionId: "b" }]);
  expect(history().said).toBe("1 session deleted.");
});

it("what is deleted in the bin is gone for good, after a question that says so", async () => {
  const { window, frame } = await inHistory({ current: many(3), bin: [binned("a", 29), binned("b", 1)] }, 120);
  // Marks do not come along: these sessions are not in the bin.
  window.send(`  ${SHIFT_TAB}${SHIFT_TAB}`);
  await soon();
  window.send(DELETE);
  expect(frame().join("\n")).toContain('Delete "about a" for good? It cannot be restored then.');
  window.send("\t\r");
  await soon();
  expect(window.server.paramsOf("session/delete")).toEqual([{ sessionId: "a", now: true }]);
  expect(frame().join("\n")).toContain("1 session deleted for good.");
  expect(frame().join("\n")).not.toContain("takes it back");
});

it("words search titles and first messages of the bin, since its messages are in no index", async () => {
  const { window } = await inHistory({ bin: [binned("a", 29)] });
  window.send(SHIFT_TAB + SHIFT_TAB);
  await soon();
  window.send("about");
  await soon();
  expect(window.server.paramsOf("session/list").at(-1)).toMatchObject({ deleted: true, query: "about" });
  expect(window.server.paramsOf("session/search")).toEqual([]);
});

it("a parent that comes with the page of its fork stands above it, and once", async () => {
  const all = many(300);
  const parent = { ...summaryOf("root", { title: "the root" }) };
  const fork = summaryOf("fork", { title: "the fork", parent: { sessionId: "root", seq: 4 } });
  const { window, frame, history } = await inHistory({});
  const stored = [fork, ...all, parent];
  window.server.answers["session/list"] = ({ cursor = "0", limit = 50 }) => {
    const [from, to] = [Number(cursor), Number(cursor) + Number(limit)];
    const more = to < stored.length ? { nextCursor: String(to), ...(from === 0 ? { parents: [parent] } : {}) } : {};
    return { sessions: stored.slice(from, to), total: stored.length, ...more };
  };
  window.send("\t");
  await soon();
  expect(frame()[3]).toMatch(/▾ the root/);
  expect(frame()[4]).toMatch(/└ the fork/);
  window.send(END);
  await soon();
  const ids = history().sessions?.map(({ sessionId }) => sessionId) ?? [];
  expect(ids).toHaveLength(302);
  expect(new Set(ids).size).toBe(302);
});

it("a long preview reads on when it is scrolled to where it has a gap, from either side", async () => {
  const { window, frame, history } = await inHistory({ current: many(1) });
  const facts = Array.from({ length: 900 }, (_, at) => ({
    sessionId: "s0",
    seq: at + 1,
    at: "2026-11-21T15:30:22.000Z",
    agentId: "main",
    update: {
      sessionUpdate: "user_message",
      messageId: `m${at + 1}`,
      content: [{ type: "text", text: `said ${at + 1}.` }],
      origin: "user",
    },
  }));
  window.server.answers["session/history"] = ({ after, before = Number.MAX_SAFE_INTEGER, limit = 200 }) => {
    const found = facts.filter(({ seq }) => seq > Number(after ?? 0) && seq < Number(before));
    const events = after === undefined ? found.slice(-Number(limit)) : found.slice(0, Number(limit));
    return { events, more: events.length < found.length };
  };
  window.send("x\u0015");
  await soon();
  const numbers = (): number[] =>
    frame().flatMap((row) => [...row.matchAll(/said (\d+)\./g)].map(([, n]) => Number(n)));
  const shown = () => history().preview?.parts.flatMap((part) => (part.who === "gap" ? [-1] : [part.seq])) ?? [];
  window.clock.advance(100);
  await soon();
  expect(shown()).toHaveLength(261);
  window.send(CTRL_O);
  for (let page = 0; page < 60 && numbers().at(-1) !== 200; page += 1) {
    const before = numbers().at(-1) ?? 0;
    window.send(PAGE_DOWN);
    await soon();
    const next = numbers();
    expect(next[0]).toBeLessThanOrEqual(before + 1);
    if ((next[0] ?? 0) > 150) break;
  }
  window.send(END);
  await soon();
  expect(numbers().at(-1)).toBe(900);
  for (let page = 0; page < 200 && (numbers()[0] ?? 0) > 1; page += 1) {
    const [before = 0] = numbers();
    window.send(PAGE_UP);
    await soon();
    expect(numbers().at(-1)).toBeGreaterThanOrEqual(before - 1);
  }
  expect(numbers()[0]).toBe(1);
  expect(shown()).toEqual(facts.map(({ seq }) => seq));
  window.send(HOME);
});
