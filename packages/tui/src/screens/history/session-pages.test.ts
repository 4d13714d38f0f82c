import type { SessionSummary } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { settled, summaryOf, type TestWindow, testWindow } from "../../../test/scripted-server.ts";
import { currentEntry, type HistoryState, historySlice, listedEntries, problemOf } from "./state.ts";

const END = "\u001b[F";
const UP = "\u001b[A";
const DOWN = "\u001b[B";
const PAGE_DOWN = "\u001b[6~";

type PageRequest = { query?: string; cursor?: string; limit: number };

/** History of a server that has many sessions; with a `gate`, the server answers when the gate opens. */
async function historyOf(count: number) {
  const stored = Array.from({ length: count }, (_, n) => summaryOf(`s${n}`) as SessionSummary);
  const window = testWindow();
  let gate: Promise<void> | undefined;
  window.server.answers["session/search"] = () => ({ hits: [], count: 0, pending: 0 });
  window.server.answers["session/list"] = async (params) => {
    if (window.store.get().screen !== "history") return { sessions: [], total: 0 };
    const { query = "", cursor = "0", limit } = params as PageRequest;
    await gate;
    const found = stored.filter(({ title, sessionId }) => `${title} ${sessionId}`.includes(query));
    const [from, to] = [Number(cursor), Number(cursor) + limit];
    const next = to < found.length ? { nextCursor: String(to) } : {};
    return { sessions: found.slice(from, to), total: found.length, ...next };
  };
  window.controller.start();
  await settled();
  window.send("/history\r");
  await settled();
  return {
    window,
    stored,
    history: () => historySlice.of(window.store.get()),
    shut() {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return async () => {
        gate = undefined;
        resolve();
        for (let round = 0; round < 30; round += 1) await settled();
      };
    },
  };
}

/** The requests of the list, without those of Home, which reads fewer at once. */
const asked = ({ server }: TestWindow): PageRequest[] =>
  server
    .paramsOf("session/list")
    .filter(({ limit }) => Number(limit) >= 200)
    .map(({ cwd: _cwd, ...rest }) => rest as PageRequest);
const shownIds = (history: HistoryState): string[] => listedEntries(history).map(({ session }) => session.sessionId);
const selectedId = (history: HistoryState): string | undefined => currentEntry(history)?.session.sessionId;

describe("History with 10,000 sessions", () => {
  it("reads one page, counts all, and reads on as the mark comes near the end of what it knows", async () => {
    const { window, history } = await historyOf(10_000);
    expect(asked(window)).toEqual([{ runsLast: true, limit: 200 }]);
    expect(history()).toMatchObject({ total: 10_000, selected: 0 });
    expect(shownIds(history())).toHaveLength(200);
    window.send(PAGE_DOWN.repeat(13));
    await settled();
    expect(asked(window)).toHaveLength(1);
    window.send(PAGE_DOWN);
    await settled();
    expect(asked(window).slice(1)).toEqual([{ runsLast: true, limit: 200, cursor: "200" }]);
    expect(shownIds(history())).toHaveLength(400);
    expect(selectedId(history())).toBe("s140");
  });

  it.each([
    ["End", END],
    ["Up from the newest", UP],
  ])("goes to the oldest by %s, in large pages, and stays where the mark is moved meanwhile", async (_, key) => {
    const { window, history } = await historyOf(10_000);
    window.send(key);
    for (let round = 0; round < 30; round += 1) await settled();
    expect(selectedId(history())).toBe("s9999");
    expect(asked(window)).toHaveLength(21);
    expect(new Set(shownIds(history())).size).toBe(10_000);
    window.send(DOWN);
    expect(selectedId(history())).toBe("s0");
  });

  it("stops on the way to the oldest when the mark is moved", async () => {
    const { window, history, shut } = await historyOf(10_000);
    const open = shut();
    window.send(END);
    await settled();
    window.send(`${UP.repeat(100)}`);
    await open();
    expect(selectedId(history())).toBe("s99");
    expect(asked(window)).toHaveLength(2);
  });

  it("finds sessions that it has not read, asking for the last filter only while the person types", async () => {
    const { window, history, shut } = await historyOf(10_000);
    const open = shut();
    window.send("/s98");
    expect(shownIds(history())[0]).toBe("s98");
    window.send("76");
    expect(shownIds(history())).toEqual([]);
    await open();
    expect(asked(window).map(({ query }) => query)).toEqual([undefined, "s", "s9876"]);
    expect(shownIds(history())).toEqual(["s9876"]);
    expect(history().total).toBe(1);
    window.send("\u001b");
    await settled();
    expect(history()).toMatchObject({ total: 10_000, selected: 0 });
  });

  it("keeps the marked session marked and what it has read when a session is used elsewhere", async () => {
    const { window, stored, history } = await historyOf(10_000);
    for (let page = 0; page < 35; page += 1) {
      window.send(PAGE_DOWN);
      await settled();
    }
    expect(selectedId(history())).toBe("s350");
    const before = asked(window).length;
    const [used] = stored.splice(9000, 1);
    if (used) stored.unshift(used);
    window.server.listeners?.notices["sessions/changed"]?.({});
    await settled();
    expect(asked(window).slice(before)).toEqual([{ runsLast: true, limit: 200 }]);
    expect(shownIds(history())[0]).toBe("s9000");
    expect(selectedId(history())).toBe("s350");
    expect(shownIds(history()).length).toBeGreaterThan(400);
  });

  it("shows a deleted session no more, wherever it was", async () => {
    const { window, stored, history } = await historyOf(1_000);
    window.send(END);
    for (let round = 0; round < 5; round += 1) await settled();
    window.server.answers["session/delete"] = ({ sessionId }) => {
      stored.splice(
        stored.findIndex((each) => each.sessionId === sessionId),
        1,
      );
      return {};
    };
    window.send("\u001b[3~\t\r");
    for (let round = 0; round < 5; round += 1) await settled();
    expect(history().total).toBe(999);
    expect(selectedId(history())).toBe("s998");
  });

  it("says what went wrong, and asks again with the next key", async () => {
    const { window, history } = await historyOf(10_000);
    const works = window.server.answers["session/list"];
    window.server.answers["session/list"] = () => Promise.reject(new Error("the disk is gone"));
    window.send("/x");
    await settled();
    expect(problemOf(history())).toContain("The sessions could not be listed");
    expect(asked(window)).toHaveLength(2);
    if (works) window.server.answers["session/list"] = works;
    window.send("\u007fs77");
    for (let round = 0; round < 5; round += 1) await settled();
    expect(problemOf(history())).toBeUndefined();
    expect(history().total).toBe(111);
  });
});
