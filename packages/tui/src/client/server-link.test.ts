import { ServerLink } from "@harness/client";
import { describe, expect, it } from "vitest";
import { settled, testWindow } from "../../test/scripted-server.ts";
import { keyTables } from "../keymap/key-tables.ts";
import { Keymap, usualKeymap } from "../keymap/keymap.ts";
import { chromeView } from "../state/chrome-view.ts";
import { textOfRow } from "../text/style.ts";
import { noteRows } from "../widgets/note-rows.ts";

describe("a server that dies", () => {
  it("is started again after half a second, the session goes on after the last fact, and nothing is lost", async () => {
    const window = testWindow();
    window.controller.start();
    await settled();
    window.send("hello\r");
    await settled();
    window.server.update("s1", 1, { sessionUpdate: "session_info_update", title: "named" });

    window.server.lose();
    expect(window.store.get().link).toMatchObject({ status: "connecting" });
    window.send("meanwhile\r");
    await settled();
    expect(window.store.get().outgoing.map(({ text }) => text)).toEqual(["meanwhile"]);
    expect(window.server.connections).toBe(1);

    window.clock.advance(500);
    await settled();
    expect(window.server.connections).toBe(2);
    expect(window.server.paramsOf("session/resume")).toMatchObject([
      { sessionId: "s1", replay: { type: "after", seq: 1 } },
    ]);
    const prompts = window.server.paramsOf("session/prompt");
    expect(prompts.at(-1)).toMatchObject({ sessionId: "s1", prompt: [{ text: "meanwhile" }] });
    expect(window.store.get()).toMatchObject({ outgoing: [], link: { status: "ready" } });
  });

  it("gets a message again under its promptId when it died before it answered", async () => {
    const window = testWindow();
    window.controller.start();
    await settled();
    window.send("one\r");
    await settled();
    const { promise: never } = Promise.withResolvers<void>();
    const taken = window.server.answers["session/prompt"];
    const { promise: gone, reject } = Promise.withResolvers<never>();
    window.server.answers["session/prompt"] = () => gone;
    window.send("two\r");
    await settled();
    window.server.answers["session/prompt"] = taken ?? (() => never);
    window.server.lose();
    reject(Object.assign(new Error("The connection has ended."), { kind: "closed" }));
    window.clock.advance(500);
    await settled();
    const [, first, second] = window.server.paramsOf("session/prompt");
    expect(second?.promptId).toBe(first?.promptId);
    expect(window.store.get().outgoing).toEqual([]);
  });

  it("is not asked again once the window has left it: a call that was lost then ends, and does not keep the process busy", async () => {
    const closed = Object.assign(new Error("The connection has ended."), { kind: "closed" });
    const client = { call: () => Promise.reject(closed), close: () => Promise.resolve() };
    const link = new ServerLink({
      connect: () => Promise.resolve(client as never),
      newId: () => "id",
      listeners: {} as never,
      clock: { now: () => 0, after: () => () => undefined } as never,
      onStatus: () => undefined,
      onReady: () => Promise.resolve(),
    });
    await link.start();
    await link.close();
    await expect(link.call("prompts/add", { cwd: "/w", text: "t" })).rejects.not.toHaveProperty("kind", "closed");
  });

  it("is started three times, then the window says so and Ctrl+L tries again", async () => {
    const window = testWindow();
    window.server.broken = true;
    window.controller.start();
    await settled();
    for (const ms of [500, 1000, 2000]) {
      window.clock.advance(ms);
      await settled();
    }
    expect(window.server.connections).toBe(4);
    expect(window.store.get().link).toMatchObject({ status: "failed" });
    expect(window.store.get().link.text).toBe("The server does not start: no such program.");
    const said = () =>
      noteRows(chromeView(window.store.get(), 0))
        .map((row) => textOfRow(row).trim())
        .join(" ");
    expect(said()).toContain("no such program. Press Ctrl+L to try again.");
    window.store.set({ keymap: new Keymap(keyTables, { "anywhere.redraw": ["f5"] }) });
    expect(said()).toContain("no such program. Press F5 to try again.");
    window.store.set({ keymap: usualKeymap });
    expect(window.store.get().notes).toEqual([]);
    window.server.broken = false;
    window.send("\u000c");
    await settled();
    expect(window.store.get().link.status).toBe("ready");
  });

  it("keeps its partial reply in view, marked, until the stored copy arrives", async () => {
    const window = testWindow();
    window.controller.start();
    await settled();
    window.send("hello\r");
    await settled();
    const items = () => window.store.get().session?.agents.get("main")?.items ?? [];
    window.server.update("s1", 1, { sessionUpdate: "state_update", state: "running" });
    window.server.update("s1", undefined, {
      sessionUpdate: "agent_message_chunk",
      messageId: "m1",
      offset: 0,
      text: "Half of a",
    });
    window.server.lose();
    expect(items()).toMatchObject([
      { kind: "agent", id: "m1", parts: [{ type: "text", text: "Half of a" }] },
      { kind: "notice", title: "Not saved: the server ended while this was being written." },
    ]);
    window.clock.advance(500);
    await settled();
    expect(items().length).toBe(2);
    const parts = [{ type: "text" as const, text: "Half of a sentence." }];
    const whole = { messageId: "m1", parts, stop: "end" as const, provider: "ollama", model: "m" };
    window.server.update("s1", 2, { sessionUpdate: "agent_message", ...whole });
    expect(items()).toMatchObject([{ kind: "agent", id: "m1", parts }]);
    window.server.update("s1", 3, { sessionUpdate: "state_update", state: "idle", stopReason: "interrupted" });
    expect(items()).toMatchObject([{ kind: "agent" }, { kind: "turn", stopReason: "interrupted" }]);
  });
});
