import { protocolError } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { settled, summaryOf, testWindow } from "../../test/scripted-server.ts";

const said = (sessionId: string, seq: number) => ({
  ...{ sessionId, seq, at: "2026-11-21T14:30:22.000Z", agentId: "main" },
  update: {
    ...{ sessionUpdate: "user_message" as const, messageId: `m${seq}`, origin: "user" as const },
    content: [{ type: "text" as const, text: `words ${seq}` }],
  },
});

type Opening = ReturnType<typeof Promise.withResolvers<unknown>>;

/** A window whose sessions have nine messages; the last two of them come at once, the rest with the answer that a test gives. */
async function loading(prompt?: string) {
  const window = testWindow({ prompt });
  const { server } = window;
  const answers = new Map<string, Opening>();
  server.answers["session/tail"] = ({ sessionId }) => ({
    events: [8, 9].map((seq) => said(String(sessionId), seq)),
    more: true,
  });
  server.answers["session/resume"] = async ({ sessionId }) => {
    const answer = Promise.withResolvers<unknown>();
    answers.set(String(sessionId), answer);
    return await answer.promise;
  };
  window.controller.start();
  await settled();
  const resume = async (sessionId: string) => {
    window.send(`/resume ${sessionId}\r`);
    await settled();
  };
  const open = async (sessionId: string) => {
    for (let seq = 1; seq <= 9; seq += 1) server.update(sessionId, seq, said(sessionId, seq).update);
    answers.get(sessionId)?.resolve({ session: summaryOf(sessionId), config: {}, seq: 9 });
    await settled();
  };
  const refuse = async (sessionId: string) => {
    answers.get(sessionId)?.reject(protocolError("internal", "Its log is gone.", { errorId: "e1" }));
    await settled();
  };
  const shown = () => {
    const { session, screen, reading } = window.store.get();
    const items = session?.agents.get("main")?.items.length;
    return { id: session?.sessionId, items, screen, reading: reading?.why };
  };
  return { window, server, resume, open, refuse, shown };
}

describe("a long session that is being opened", () => {
  it("shows its last messages at once, and all of them when they are there", async () => {
    const { resume, open, shown } = await loading();
    await resume("s7");
    expect(shown()).toEqual({ id: "s7", items: 2, screen: "chat", reading: "loading" });
    await open("s7");
    expect(shown()).toEqual({ id: "s7", items: 9, screen: "chat", reading: undefined });
  });

  it("takes messages, which it sends once it is open", async () => {
    const { window, server, resume, open } = await loading();
    await resume("s7");
    window.send("go on\r");
    await settled();
    expect(server.paramsOf("session/prompt")).toEqual([]);
    expect(window.store.get().outgoing).toMatchObject([{ text: "go on" }]);
    await open("s7");
    expect(server.paramsOf("session/prompt")).toMatchObject([{ sessionId: "s7", prompt: [{ text: "go on" }] }]);
    expect(server.paramsOf("session/new")).toEqual([]);
  });

  it("gives the messages back if it cannot be opened, and shows what was in view before", async () => {
    const { window, resume, refuse, shown } = await loading();
    await resume("s7");
    window.send("go on\r");
    await settled();
    await refuse("s7");
    expect(shown()).toEqual({ id: undefined, items: undefined, screen: "home", reading: undefined });
    expect(window.store.get().notes.map(({ text }) => text)).toContain(
      "The session could not be opened: Its log is gone.",
    );
    expect(window.store.get().composer.buffer.text).toBe("go on");
  });

  it("leaves the session before it only once it is open", async () => {
    const { server, resume, open, refuse, shown } = await loading();
    await resume("s7");
    await open("s7");
    await resume("s8");
    await refuse("s8");
    expect(server.paramsOf("session/detach")).toEqual([]);
    server.update("s7", 10, said("s7", 10).update);
    expect(shown()).toEqual({ id: "s7", items: 10, screen: "chat", reading: undefined });
    await resume("s9");
    await open("s9");
    expect(server.paramsOf("session/detach")).toEqual([{ sessionId: "s7" }]);
  });

  it("gives way to another that is opened meanwhile, whichever is open first", async () => {
    for (const order of [
      ["s7", "s8"],
      ["s8", "s7"],
    ]) {
      const { server, resume, open, shown } = await loading();
      await resume("s7");
      await resume("s8");
      for (const each of order) await open(each);
      expect(shown()).toEqual({ id: "s8", items: 9, screen: "chat", reading: undefined });
      expect(server.paramsOf("session/detach")).toEqual([{ sessionId: "s7" }]);
    }
  });

  it("gives way to a new one", async () => {
    const { window, server, resume, open, shown } = await loading();
    await resume("s7");
    window.send("/new\r");
    await settled();
    await open("s7");
    expect(shown()).toEqual({ id: undefined, items: undefined, screen: "chat", reading: undefined });
    expect(server.paramsOf("session/detach")).toEqual([{ sessionId: "s7" }]);
  });
});
