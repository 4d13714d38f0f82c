import { protocolError } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { painterOf } from "../../../test/painter.ts";
import { ESCAPE, settled, summaryOf, type TestWindow, testWindow } from "../../../test/scripted-server.ts";
import { textOfRow } from "../../text/style.ts";
import { historySlice } from "./state.ts";

async function opened(prepare: (window: TestWindow) => void): Promise<TestWindow> {
  const window = testWindow();
  prepare(window);
  window.controller.start();
  await settled();
  return window;
}

describe("History", () => {
  const inHistory = async (more: Parameters<typeof summaryOf>[1] = {}) => {
    const window = await opened(({ server }) => {
      server.answers["session/list"] = () => ({
        sessions: [summaryOf("s8", { title: "The parser", ...more }), summaryOf("s9", { title: "The lexer" })],
        total: 2,
      });
      server.answers["session/history"] = () => ({
        events: [
          {
            sessionId: "s8",
            agentId: "main",
            seq: 1,
            update: {
              sessionUpdate: "user_message",
              messageId: "m",
              origin: "user",
              content: [{ type: "text", text: "about s8" }],
            },
          },
          {
            sessionId: "s8",
            agentId: "main",
            seq: 2,
            update: {
              sessionUpdate: "agent_message",
              messageId: "a",
              parts: [{ type: "text", text: "Done." }],
              stop: "end",
              provider: "p",
              model: "m",
            },
          },
        ],
        more: false,
      });
    });
    window.send("/history\r");
    await settled();
    return window;
  };

  it("shows the first and last messages of the marked session", async () => {
    const window = await inHistory();
    window.clock.advance(80);
    await settled();
    expect(historySlice.of(window.store.get()).preview).toEqual({
      agentId: "main",
      sessionId: "s8",
      at: undefined,
      parts: [
        { who: "user", text: "about s8", seq: 1 },
        { who: "agent", text: "Done.", seq: 2 },
      ],
    });
  });

  it("names the session that a fork began from, or that a new one follows", async () => {
    for (const [seq, words] of [
      [7, "fork of"],
      [0, "follows"],
    ] as const) {
      const window = await inHistory({ parent: { sessionId: "20261121-000000-abcd", seq } });
      const painter = painterOf(window.store);
      expect(painter.draw().rows.map(textOfRow).join("\n")).toContain(`${words} 20261121-000000-abcd`);
    }
  });

  it("filters by typing, and opens with Enter", async () => {
    const window = await inHistory();
    window.send("/lex\r");
    await settled();
    expect(window.server.paramsOf("session/resume")).toMatchObject([{ sessionId: "s9" }]);
  });

  it("renames", async () => {
    const window = await inHistory();
    window.send("\u0012\u0015Grammar\r");
    await settled();
    expect(window.server.paramsOf("session/set_title")).toEqual([{ sessionId: "s8", title: "Grammar" }]);
  });

  it("puts a title of several lines into the field as one", async () => {
    const window = await inHistory({ title: "The\tparser\n\u001b[31mof it" });
    window.send("\u0012!\r");
    await settled();
    expect(window.server.paramsOf("session/set_title")).toEqual([{ sessionId: "s8", title: "The parser of it!" }]);
  });

  it("says below the field why a title was not saved, until the next key", async () => {
    const window = await inHistory();
    window.server.answers["session/set_title"] = () => {
      throw protocolError("conflict", "It is open in another harness.", {});
    };
    const painter = painterOf(window.store);
    const text = (): string => painter.draw().rows.map(textOfRow).join("\n");
    window.send("\u0012\u0015\r");
    expect(text()).toMatch(/Title:[\s\S]*A title needs at least one character\./);
    window.send("x");
    expect(text()).not.toContain("A title needs");
    window.send("\r");
    await settled();
    expect(text()).toMatch(/Title: x[\s\S]*The title could not be saved: It is open in another harness\./);
    window.send(ESCAPE);
    expect(text()).not.toMatch(/Title:|could not be saved/);
    painter.close();
  });

  it.each<[string[], number]>([
    [["n"], 0],
    [[ESCAPE], 0],
    [["\r"], 0],
    [["y", "\r"], 0],
    [["\t", "\t", "\r"], 0],
    [["\t", "y", "\r"], 0],
    [["\t", "\r"], 1],
    [["\u001b[C", "\r"], 1],
  ])("deletes only once Delete is marked and given: %j", async (keys, times) => {
    const window = await inHistory();
    window.send("\u001b[3~");
    expect(historySlice.of(window.store.get()).asking).toMatchObject({ yes: false });
    for (const key of keys) window.send(key);
    await settled();
    expect(window.server.paramsOf("session/delete").length).toBe(times);
  });
});
