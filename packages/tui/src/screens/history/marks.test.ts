import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { painterOf } from "../../../test/painter.ts";
import { ESCAPE, settled, summaryOf, testWindow } from "../../../test/scripted-server.ts";
import { textOfRow } from "../../text/style.ts";
import { currentEntry, historySlice } from "./state.ts";

const DELETE = "\u001b[3~";
const DOWN = "\u001b[B";
const UP = "\u001b[A";
const LEFT = "\u001b[D";
const RIGHT = "\u001b[C";
const CTRL_A = "\u0001";
const CTRL_G = "\u0007";
const CTRL_O = "\u000f";
const CTRL_T = "\u0014";
const CTRL_UNDERSCORE = "\u001f";
const SHIFT_TAB = "\u001b[Z";

let close = (): void => undefined;
afterEach(() => close());

async function inHistory(sessions: Record<string, Record<string, unknown>>, [columns, rows] = [80, 24]) {
  const window = testWindow();
  window.store.set({ size: { columns: columns ?? 80, rows: rows ?? 24 } });
  const stored = Object.entries(sessions).map(([id, more]) => summaryOf(id, { title: `about ${id}`, ...more }));
  window.server.answers["session/list"] = () => ({ sessions: stored, total: stored.length });
  window.server.answers["session/delete"] = ({ sessionId }) => {
    const at = stored.findIndex((each) => each.sessionId === sessionId);
    if (sessionId === "held") throw new Error("It is open in another harness.");
    stored.splice(at, 1);
    return {};
  };
  window.server.answers["session/export"] = ({ path }) => ({ path, bytes: 10 });
  window.controller.start();
  await settled();
  window.send("/history\r");
  await settled();
  const painter = painterOf(window.store, { wallMs: Date.parse("2026-11-21T15:30:22.000Z") });
  close = () => painter.close();
  return {
    window,
    history: () => historySlice.of(window.store.get()),
    selected: () => currentEntry(historySlice.of(window.store.get()))?.session.sessionId,
    frame: (): string[] => painter.draw().rows.map((row) => textOfRow(row).trimEnd()),
    click(x: number, y: number) {
      painter.draw();
      const place = painter.placeOf({ x, y });
      if (place?.part === "list") window.controller.clickList(place.cell);
    },
  };
}

const five = { a: {}, b: {}, c: {}, d: {}, e: {} };

describe("marked sessions", () => {
  it("are marked with Space, one after another, shown, and unmarked by Esc before it leaves", async () => {
    const { window, history, frame, selected } = await inHistory(five);
    window.send("  ");
    expect([...history().marked]).toEqual(["a", "b"]);
    expect(selected()).toBe("c");
    expect(frame()[1]).toContain("✓ 2 marked");
    expect(
      frame()
        .slice(3, 6)
        .map((row) => row.slice(0, 12)),
    ).toEqual(["   ✓ about a", "   ✓ about b", " ›   about c"]);
    window.send(`${UP} `);
    expect([...history().marked]).toEqual(["a"]);
    window.send(ESCAPE);
    expect([history().marked.size, window.store.get().screen]).toEqual([0, "history"]);
    window.send(ESCAPE);
    expect(window.store.get().screen).toBe("home");
  });

  it("all or none by Ctrl+A", async () => {
    const { window, history } = await inHistory(five);
    window.send(` ${CTRL_A}`);
    expect(history().marked.size).toBe(5);
    window.send(CTRL_A);
    expect(history().marked.size).toBe(0);
  });

  it("Space is a character while words are typed, and marks again once the list was moved", async () => {
    const { window, history } = await inHistory(five);
    window.send("ab ou");
    expect(history()).toMatchObject({ filter: "ab ou", marked: new Set() });
    window.send("\u0015about");
    window.send(`${DOWN} `);
    expect(history()).toMatchObject({ filter: "about" });
    expect([...history().marked]).toEqual(["b"]);
    window.send("x");
    expect(history().filter).toBe("aboutx");
  });

  it("are deleted after one question that says how many, and those that cannot be are named", async () => {
    const { window, history, frame } = await inHistory({ ...five, held: {} });
    window.send(`  ${CTRL_A}${DELETE}`);
    expect(frame().join("\n")).toContain("Delete 6 marked sessions?");
    window.send("\t\r");
    for (let round = 0; round < 5; round += 1) await settled();
    expect(window.server.paramsOf("session/delete").map(({ sessionId }) => sessionId)).toEqual([
      "a",
      "b",
      "c",
      "d",
      "e",
      "held",
    ]);
    expect([...history().marked]).toEqual(["held"]);
    expect(history().problem).toBe("held was not deleted: It is open in another harness.");
  });

  it("come back from the bin with a key, and are in the list again", async () => {
    const { window, history, frame } = await inHistory(five);
    window.server.answers["session/restore"] = () => ({});
    window.send(`  ${DELETE}`);
    expect(frame().join("\n").replace(/\s+/g, " ")).toContain(
      "Delete 2 marked sessions? They stay in the bin for 30 days.",
    );
    window.send("\t\r");
    for (let round = 0; round < 5; round += 1) await settled();
    expect(frame().join("\n")).toContain("2 sessions deleted. · Ctrl+_ takes it back");
    const lists = window.server.paramsOf("session/list").length;
    window.send(CTRL_UNDERSCORE);
    for (let round = 0; round < 5; round += 1) await settled();
    expect(window.server.paramsOf("session/restore")).toEqual([{ sessionId: "a" }, { sessionId: "b" }]);
    expect(window.server.paramsOf("session/list").length).toBeGreaterThan(lists);
    expect(history()).toMatchObject({ said: "2 sessions brought back.", putAway: undefined });
    window.send(CTRL_UNDERSCORE);
    await settled();
    expect(window.server.paramsOf("session/restore")).toHaveLength(2);
  });

  it("are archived, and brought back with a key; in the archive the same key takes them out", async () => {
    const { window, history, frame } = await inHistory(five);
    window.server.answers["session/archive"] = () => ({});
    window.send(`  ${CTRL_T}`);
    await settled();
    expect(frame().join("\n")).toContain("2 sessions archived. · Ctrl+_ takes it back");
    window.send(CTRL_UNDERSCORE);
    await settled();
    expect(frame().join("\n")).toContain("2 sessions brought back.");
    const set = (archived: boolean, ...ids: string[]) => ids.map((sessionId) => ({ sessionId, archived }));
    expect(window.server.paramsOf("session/archive")).toEqual([...set(true, "a", "b"), ...set(false, "a", "b")]);
    window.send(SHIFT_TAB);
    await settled();
    expect(window.server.paramsOf("session/list").at(-1)).toMatchObject({ archived: true });
    expect(frame()[1]).toBe(" this folder · archived · 5 sessions");
    window.send(CTRL_T);
    await settled();
    expect(window.server.paramsOf("session/archive").at(-1)).toEqual({ sessionId: "a", archived: false });
    expect(history().said).toBe("1 session taken out of the archive.");
  });

  it("stop at Esc after the one that is being done", async () => {
    const { window, history } = await inHistory(five);
    const gate = Promise.withResolvers<object>();
    window.server.answers["session/delete"] = () => gate.promise;
    window.send(`${CTRL_A}${DELETE}\t\r`);
    await settled();
    expect(history().working).toBe("Deleting 1 of 5");
    window.send(ESCAPE);
    gate.resolve({});
    await settled();
    expect(window.server.paramsOf("session/delete")).toHaveLength(1);
    expect(history()).toMatchObject({
      working: undefined,
      said: "1 session deleted.",
      marked: new Set(["b", "c", "d", "e"]),
    });
  });

  it("are exported into a folder, in the chosen format", async () => {
    const { window, history, frame } = await inHistory(five);
    const folder = join(mkdtempSync(join(tmpdir(), "export-")), "out");
    window.send(`  ${CTRL_G}\u0015${folder}\t`);
    expect(frame().join("\n")).toMatch(/Folder: [\s\S]*Format: html · Tab changes it/);
    window.send("\r");
    await vi.waitUntil(() => history().said !== undefined, { timeout: 60_000 });
    expect(existsSync(folder)).toBe(true);
    rmSync(dirname(folder), { recursive: true });
    expect(window.server.paramsOf("session/export")).toEqual([
      { sessionId: "a", format: "html", path: join(folder, "a.html") },
      { sessionId: "b", format: "html", path: join(folder, "b.html") },
    ]);
    expect(frame().join("\n")).toContain("2 sessions exported to");
  });
});

describe("forks in History", () => {
  const family = {
    f2: { parent: { sessionId: "f1", seq: 4 } },
    other: {},
    f1: { parent: { sessionId: "root", seq: 9 } },
    root: {},
  };

  it("stand below their parents, fold with Left and unfold with Right", async () => {
    const { window, frame, selected } = await inHistory(family);
    const list = () =>
      frame()
        .slice(3, 7)
        .map((row) => row.slice(1, 40).trim());
    expect(list()).toEqual([
      expect.stringMatching(/^› +▾ about root/),
      expect.stringMatching(/^└ ▾ about f1/),
      expect.stringMatching(/^└ about f2/),
      expect.stringMatching(/^about other/),
    ]);
    window.send(`${DOWN}${DOWN}${LEFT}`);
    expect(selected()).toBe("f1");
    window.send(`${LEFT}${LEFT}`);
    expect(selected()).toBe("root");
    window.send(LEFT);
    expect(frame().slice(3, 5)).toEqual([
      expect.stringMatching(/▸ about root +2 forks/),
      expect.stringContaining("about other"),
    ]);
    window.send(RIGHT);
    expect(frame()[4]).toContain("└ ▸ about f1");
  });
});

describe("the mouse in History", () => {
  it.each<[size: [number, number]]>([[[80, 24]], [[120, 30]], [[40, 20]]])(
    "selects with a click, opens with the next, and marks with one in the mark column, at %j",
    async (size) => {
      const { window, selected, history, click, frame } = await inHistory(five, size);
      const at = frame().findIndex((row) => row.includes("about c"));
      click(10, at);
      expect(selected()).toBe("c");
      expect(window.server.paramsOf("session/resume")).toEqual([]);
      click(3, at + 1);
      expect([...history().marked]).toEqual(["d"]);
      expect(selected()).toBe("c");
      click(10, at);
      await settled();
      expect(window.server.paramsOf("session/resume")).toMatchObject([{ sessionId: "c" }]);
    },
  );

  it("keeps the rows where they are under a click, and scrolls them with the wheel, without the selection", async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`s${n}`, {}]));
    const { window, selected, click, frame } = await inHistory(many);
    const first = (): string => /about s\d+/.exec(frame()[3] ?? "")?.[0] ?? "";
    window.event({ type: "wheel", direction: 1, x: 5, y: 5 });
    expect([first(), selected()]).toEqual(["about s3", "s0"]);
    click(10, 6);
    expect([first(), selected()]).toEqual(["about s3", "s6"]);
    window.event({ type: "wheel", direction: -1, x: 5, y: 5 });
    window.event({ type: "wheel", direction: -1, x: 5, y: 5 });
    expect(first()).toBe("about s0");
    window.send("\u001b[F");
    expect(frame().join("\n")).toContain("about s99");
    window.event({ type: "wheel", direction: 1, x: 5, y: 5 });
    expect(frame().join("\n")).toContain("about s99");
  });
});

describe("the preview", () => {
  const message = (seq: number) => ({
    sessionId: "a",
    agentId: "main",
    seq,
    update: {
      sessionUpdate: "user_message",
      messageId: `m${seq}`,
      origin: "user",
      content: [{ type: "text", text: `message ${seq}` }],
    },
  });

  it("has the first and the last messages of a long session, read as two pages, and fills the screen on Ctrl+O", async () => {
    const { window, frame } = await inHistory(five);
    window.server.answers["session/history"] = ({ after, limit }) => {
      const from = after === undefined ? 4_000 - Number(limit) : 0;
      return { events: Array.from({ length: Number(limit) }, (_, n) => message(from + n + 1)), more: true };
    };
    window.clock.advance(80);
    await settled();
    expect(window.server.paramsOf("session/history")).toEqual([
      { sessionId: "a", after: 0, limit: 60 },
      { sessionId: "a", before: Number.MAX_SAFE_INTEGER, limit: 200 },
    ]);
    expect(frame().join("\n")).toContain("> message 1");
    window.send(CTRL_O);
    expect(frame().join("\n")).not.toContain("about b");
    expect(frame().join("\n")).toMatch(/> message 1\n\n > message 2\n/);
    window.send("\u001b[F");
    expect(frame().join("\n")).toContain("> message 4000");
    window.send("\u001b[5~".repeat(60));
    expect(frame().join("\n")).toContain("> message 1\n");
    window.send(ESCAPE);
    expect(frame().join("\n")).toContain("about b");
  });

  it("has one row about the session where it has few", async () => {
    const { window, frame } = await inHistory(five, [60, 20]);
    window.server.answers["session/history"] = () => ({ events: [message(1), message(2)], more: false });
    window.clock.advance(80);
    await settled();
    expect(frame().join("\n")).toMatch(/ a · \/work\n > message 1\n/);
  });

  it("scrolls beside the list, by keys and by the wheel over it", async () => {
    const { window, frame } = await inHistory(five, [120, 20]);
    window.server.answers["session/history"] = () => ({
      events: Array.from({ length: 50 }, (_, n) => message(n + 1)),
      more: false,
    });
    window.clock.advance(80);
    await settled();
    const first = (): string => /> message \d+/.exec(frame().join("\n"))?.[0] ?? "";
    expect(first()).toBe("> message 1");
    window.send("\u001b[1;2B\u001b[1;2B");
    expect(first()).toBe("> message 2");
    window.event({ type: "wheel", direction: 1, x: 100, y: 5 });
    expect(first()).toBe("> message 4");
    window.send("\u001b[1;2A".repeat(9));
    expect(first()).toBe("> message 1");
  });
});

describe("sessions of other programs", () => {
  it("come after the archive and the bin, are filtered by typing, and are imported and opened by Enter", async () => {
    const { window, frame } = await inHistory(five, [120, 24]);
    window.server.answers["session/importable"] = ({ from }) => {
      const file = { path: `/home/u/.${from}/talk.jsonl`, changedAt: "2026-11-20T10:00:00.000Z", bytes: 2048 };
      const named = from === "claude" ? { title: "The lexer", cwd: "/work/lexer" } : {};
      return from === "claude" || from === "codex"
        ? { sessions: [{ ...file, ...named }], total: 1 }
        : { sessions: [], total: 0 };
    };
    window.server.answers["session/import"] = () => ({
      sessionId: "new",
      from: "Claude Code",
      left: "Left out: 2 thoughts.",
    });
    window.send(`${SHIFT_TAB}${SHIFT_TAB}${SHIFT_TAB}`);
    for (let round = 0; round < 10; round += 1) await settled();
    expect(frame()[1]).toContain("other programs · 2 sessions");
    window.send("lex");
    expect(frame()[1]).toContain("other programs · 1 session");
    expect(frame()[3]).toMatch(/› +The lexer +Claude Code · lexer · 1 day ago/);
    expect(frame().join("\n")).toContain("A session of Claude Code (2,048 bytes).");
    window.send(`\u001b[B ${DELETE}`);
    expect(window.server.paramsOf("session/delete")).toEqual([]);
    window.send(`\u0015lex\r`);
    for (let round = 0; round < 5; round += 1) await settled();
    expect(window.server.paramsOf("session/import")).toEqual([{ path: "/home/u/.claude/talk.jsonl" }]);
    expect(window.server.paramsOf("session/resume")).toMatchObject([{ sessionId: "new" }]);
  });

  it("are left again by the same key", async () => {
    const { window, frame } = await inHistory(five);
    window.server.answers["session/importable"] = () => ({ sessions: [], total: 0 });
    window.send(`${SHIFT_TAB}${SHIFT_TAB}${SHIFT_TAB}`);
    for (let round = 0; round < 10; round += 1) await settled();
    expect(frame()[3]).toContain("There are no sessions of other programs.");
    window.send(SHIFT_TAB);
    for (let round = 0; round < 5; round += 1) await settled();
    expect(frame()[1]).toBe(" this folder · 5 sessions");
  });
});
