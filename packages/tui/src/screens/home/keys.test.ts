import { describe, expect, it } from "vitest";
import { settled, summaryOf, type TestWindow, testWindow } from "../../../test/scripted-server.ts";
import { homeSlice } from "./state.ts";

async function opened(prepare: (window: TestWindow) => void): Promise<TestWindow> {
  const window = testWindow();
  prepare(window);
  window.controller.start();
  await settled();
  return window;
}

describe("Home", () => {
  it("marks a recent session with Down and opens it with Enter", async () => {
    const window = await opened(({ server }) => {
      server.answers["session/list"] = () => ({ sessions: [summaryOf("s8"), summaryOf("s9")] });
    });
    window.send("\u001b[B\u001b[B\r");
    await settled();
    expect(window.server.paramsOf("session/resume")).toMatchObject([{ sessionId: "s9" }]);
    expect(window.store.get().screen).toBe("chat");
  });

  it("keeps the servers that harness waits for, until they have answered", async () => {
    const window = await opened(() => undefined);
    const servers = [{ provider: "ollama", name: "Ollama", address: "http://127.0.0.1:11434" }];
    window.server.listeners?.notices["providers/waiting"]?.({ servers });
    expect(homeSlice.of(window.store.get()).waiting).toEqual(servers);
    window.server.listeners?.notices["providers/waiting"]?.({ servers: [] });
    expect(homeSlice.of(window.store.get()).waiting).toEqual([]);
  });
});
