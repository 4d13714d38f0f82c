import type { SessionHit } from "@harness/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { painterOf } from "../../../test/painter.ts";
import { settled, summaryOf, type TestWindow, testWindow } from "../../../test/scripted-server.ts";
import { textOfRow, UNDERLINE } from "../../text/style.ts";
import { historySlice } from "./state.ts";

const ENTER = "\r";
const DOWN = "\u001b[B";
const TAB = "\t";
const PAUSE = 60;

let close = (): void => undefined;
afterEach(() => close());

function hitOf(sessionId: string, seq: number, excerpt: string, changes: Partial<SessionHit> = {}): SessionHit {
  const at = "2026-11-21T14:30:22.000Z";
  return {
    sessionId,
    title: `Title of ${sessionId}`,
    folder: "/work",
    seq,
    agentId: "main",
    kind: "answer",
    at,
    excerpt,
    ...changes,
  };
}

type Searched = { query: string; folder?: string };

/** History of two sessions; searches answer with `found`, or when the test lets them. */
async function inHistory(found: (params: Searched) => unknown) {
  const window = testWindow();
  window.server.answers["session/list"] = ({ query }) => {
    const titles = { s8: "The parser", s9: "The lexer" };
    const shown = Object.entries(titles)
      .filter(([, title]) => query === undefined || title.toLowerCase().includes(String(query)))
      .map(([id, title]) => summaryOf(id, { title }));
    return { sessions: shown, total: shown.length };
  };
  window.server.answers["session/search"] = (params) => found(params as Searched);
  window.controller.start();
  await settled();
  window.send("/history\r");
  await settled();
  const painter = painterOf(window.store, { wallMs: Date.parse("2026-11-21T15:30:22.000Z") });
  close = () => painter.close();
  const frame = (): string[] => painter.draw().rows.map((row) => textOfRow(row).trimEnd());
  return {
    window,
    painter,
    frame,
    async type(text: string) {
      window.send(text);
      window.clock.advance(PAUSE);
      await settled();
    },
  };
}

const searches = ({ server }: TestWindow): unknown[] => server.paramsOf("session/search").map(({ query }) => query);

describe("a search in History", () => {
  it("begins with typing, shows passages below their session, and marks the words also without colours", async () => {
    const hits = [hitOf("s3", 40, "…so the tokenCache grows without end"), hitOf("s3", 50, "the cache again")];
    const { type, frame, painter } = await inHistory(() => ({ hits, count: 2, pending: 0 }));
    await type("cache");
    const rows = frame();
    expect(rows[0]).toBe(" History  cache");
    expect(rows[1]).toBe(" this folder · 2 passages");
    expect(rows.slice(3, 6)).toEqual([
      expect.stringMatching(/^ › {3}Title of s3 +2 matches · 1 h ago$/),
      " ›     …so the tokenCache grows without end",
      "       the cache again",
    ]);
    const marked = painter
      .draw()
      .rows.flatMap(({ spans }) => spans)
      .filter(({ style }) => (style.attributes & UNDERLINE) > 0);
    expect(marked.map(({ text }) => text)).toEqual(["Cache", "cache"]);
  });

  it("puts sessions with the words in their title first, with their passages", async () => {
    const hits = [hitOf("s3", 40, "a parser"), hitOf("s8", 7, "another parser", { kind: "message" })];
    const { type, frame } = await inHistory(() => ({ hits, count: 2, pending: 0 }));
    await type("parser");
    expect(
      frame()
        .slice(3, 7)
        .map((row) => row.slice(5, 40).trim()),
    ).toEqual(["The parser", "you: another parser", "Title of s3", "a parser"]);
  });

  it("asks for the last words only, and drops answers to others that arrive late", async () => {
    const answers: ((value: unknown) => void)[] = [];
    const { window, type, frame } = await inHistory(
      () => new Promise((answer) => answers.push((value) => answer(value))),
    );
    window.send("l");
    window.send("e");
    await type("x");
    expect(searches(window)).toEqual(["lex"]);
    await type("er");
    expect(searches(window)).toEqual(["lex", "lexer"]);
    answers[1]?.({ hits: [hitOf("s3", 1, "the lexer")], count: 1, pending: 0 });
    await settled();
    answers[0]?.({ hits: [hitOf("s3", 1, "lexical")], count: 1, pending: 0 });
    await settled();
    expect(frame().join("\n")).toContain("the lexer");
    expect(frame().join("\n")).not.toContain("lexical");
  });

  it("takes keys while a search goes on, and asks on until all sessions are searched", async () => {
    let pending = 300;
    const { window, type, frame } = await inHistory(() => {
      pending = Math.max(0, pending - 100);
      return { hits: pending < 200 ? [hitOf("s3", 1, "a lexer")] : [], count: 1, pending };
    });
    await type("lexer");
    expect(searches(window)).toEqual(["lexer", "lexer", "lexer"]);
    expect(frame()[1]).toBe(" this folder · 1 passage");
    await type("\u007f\u007f");
    expect(historySlice.of(window.store.get()).filter).toBe("lex");
  });

  it("says how many sessions are left when the search gets no further, and why it failed", async () => {
    const { window, type, frame } = await inHistory(({ query }) => {
      if (query === "bad") throw new Error("the disk is gone");
      return { hits: [], count: 0, pending: 7 };
    });
    await type("lexer");
    expect(frame().join("\n")).toContain("7 sessions could not be searched yet.");
    window.send("\u0015");
    await type("bad");
    expect(frame().join("\n")).toContain("The search failed: the disk is gone");
  });

  it("is limited to this folder until Tab, and by model: and since:", async () => {
    const { window, type, frame } = await inHistory(() => ({ hits: [], count: 0, pending: 0 }));
    await type("cache model:qwen since:2026-11-01");
    const since = new Date("2026-11-01T00:00:00").toISOString();
    expect(window.server.paramsOf("session/search").at(-1)).toMatchObject({
      query: "cache",
      folder: "/work",
      model: "qwen",
      since,
    });
    expect(window.server.paramsOf("session/list").at(-1)).toMatchObject({
      query: "cache",
      cwd: "/work",
      model: "qwen",
      since,
    });
    expect(frame()[1]).toBe(" this folder · model qwen · since 2026-11-01 · no passages");
    await type(TAB);
    expect(window.server.paramsOf("session/search").at(-1)).not.toHaveProperty("folder");
    expect(window.server.paramsOf("session/list").at(-1)).not.toHaveProperty("cwd");
    expect(frame()[1]).toBe(" all folders · model qwen · since 2026-11-01 · no passages");
  });

  it("opens the session at the passage, where the words are marked and n finds the next", async () => {
    const hits = [hitOf("s3", 1, "first"), hitOf("s3", 4, "the deep cache", { at: "2026-11-20T10:00:03.000Z" })];
    const { window, type } = await inHistory(() => ({ hits, count: 2, pending: 0 }));
    window.server.answers["session/resume"] = (_, server) => {
      const say = (seq: number, text: string): void =>
        server.listeners?.onUpdate({
          sessionId: "s3",
          agentId: "main",
          seq,
          at: `2026-11-20T10:00:0${seq - 1}.000Z`,
          update: {
            sessionUpdate: "agent_message",
            messageId: `a${seq}`,
            parts: [{ type: "text", text }],
            stop: "end",
            provider: "p",
            model: "m",
          },
        });
      for (const [at, text] of ["first", "the cache", "other", "the deep cache", "a cache"].entries())
        say(at + 1, text);
      return { session: summaryOf("s3"), config: {}, seq: 5 };
    };
    await type("cache");
    window.send(`${DOWN}${ENTER}`);
    await settled();
    const { screen, find } = window.store.get();
    expect(screen).toBe("chat");
    expect(find).toMatchObject({ total: 3, at: 2, typing: false });
    expect(find?.query.text).toBe("cache");
  });
});
