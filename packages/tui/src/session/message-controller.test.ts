import { describe, expect, it } from "vitest";
import { settled, type TestWindow, testWindow } from "../../test/scripted-server.ts";

const waiting = (promptId: string, text: string) => ({ promptId, content: [{ type: "text" as const, text }] });

/** A window with a running turn and waiting messages. */
async function withQueue(...queue: ReturnType<typeof waiting>[]): Promise<TestWindow> {
  const window = testWindow();
  window.controller.start();
  await settled();
  window.send("one\r");
  await settled();
  window.server.update("s1", 1, { sessionUpdate: "state_update", state: "running" });
  window.server.update("s1", 2, { sessionUpdate: "queue_update", added: queue, removed: [] });
  return window;
}

const text = ({ store }: TestWindow): string => store.get().composer.buffer.text;

describe("Alt+Up", () => {
  it("brings the newest queued message back", async () => {
    const window = await withQueue(waiting("p8", "soon"), waiting("p9", "later"));
    window.send("\u001b[1;3A");
    await settled();
    expect(window.server.paramsOf("session/unqueue")).toEqual([{ sessionId: "s1", promptId: "p9" }]);
    expect(text(window)).toBe("later");
  });

  it("is Up, too, while the input is empty", async () => {
    const window = await withQueue(waiting("p8", "soon"), waiting("p9", "later"));
    window.send("\u001b[A");
    await settled();
    expect(text(window)).toBe("later");
    window.send("\u001b[A");
    await settled();
    expect(window.server.paramsOf("session/unqueue")).toEqual([{ sessionId: "s1", promptId: "p9" }]);
    expect(text(window)).toBe("one");
  });

  it("puts the text before a draft", async () => {
    const window = await withQueue(waiting("p9", "later"));
    window.send("a draft");
    window.send("\u001b[1;3A");
    await settled();
    expect(text(window)).toBe("later\na draft");
  });

  it("puts a long text before a draft as a chip and sends it in full", async () => {
    const long = "line\n".repeat(50);
    const window = await withQueue(waiting("p9", long));
    window.send("a draft");
    window.send("\u001b[1;3A");
    await settled();
    expect(text(window)).toBe("[pasted 50 lines]\na draft");
    window.send("\r");
    await settled();
    expect(window.server.paramsOf("session/prompt").at(-1)?.prompt).toEqual([
      { type: "text", text: `${long}\na draft` },
    ]);
  });
});

describe("messages that wait after the turn was stopped", () => {
  it("are sent one after another by Enter on the empty input", async () => {
    const window = await withQueue(waiting("p8", "soon"), waiting("p9", "later"));
    window.send("\r");
    await settled();
    expect(window.server.paramsOf("session/unqueue")).toEqual([]);
    window.server.update("s1", 3, { sessionUpdate: "state_update", state: "idle", stopReason: "cancelled" });
    window.send("\r");
    await settled();
    expect(window.server.paramsOf("session/unqueue")).toEqual([{ sessionId: "s1", promptId: "p8" }]);
    expect(window.server.paramsOf("session/prompt").at(-1)).toMatchObject({
      prompt: [{ type: "text", text: "soon" }],
      delivery: "start",
    });
  });

  it("are not sent when the server has them no more", async () => {
    const window = await withQueue(waiting("p8", "soon"));
    window.server.update("s1", 3, { sessionUpdate: "state_update", state: "idle", stopReason: "cancelled" });
    window.server.answers["session/unqueue"] = () => ({ removed: false });
    window.send("\r");
    await settled();
    expect(window.server.paramsOf("session/prompt").length).toBe(1);
  });
});

describe("a message that joins the running turn", () => {
  it("is marked apart from queued ones until the turn has ended", async () => {
    const window = await withQueue();
    window.server.answers["session/prompt"] = ({ promptId, delivery }) => ({
      promptId,
      disposition: delivery === "steer" ? "steered" : "queued",
    });
    window.send("now\r");
    window.send("then");
    window.send("\t");
    await settled();
    const [, steered] = window.server.paramsOf("session/prompt");
    expect([...window.store.get().steering]).toEqual([steered?.promptId]);
    window.server.update("s1", 3, { sessionUpdate: "state_update", state: "idle" });
    expect(window.store.get().steering.size).toBe(0);
  });
});
