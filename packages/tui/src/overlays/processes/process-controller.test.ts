import type { ProcessView } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { ESCAPE, settled, type TestWindow, testWindow } from "../../../test/scripted-server.ts";
import { usualKeymap } from "../../keymap/keymap.ts";
import { initialState } from "../../state/app-state.ts";
import { textOfRow } from "../../text/style.ts";
import { processListRows } from "./process-list-rows.ts";

const server: ProcessView = {
  processId: "p1",
  agentId: "main",
  command: "npm run dev",
  state: "running",
  pid: 4711,
  startedAt: "2026-11-21T14:30:00.000Z",
  kept: false,
  outputPath: "/out/1.txt",
  ports: [5173],
  lastLine: "Local: \u001b[31mhttp://localhost:5173/",
  outputBytes: 40,
};
const watcher: ProcessView = {
  ...server,
  processId: "p2",
  command: "tsc --watch",
  state: "exited",
  endedAt: "2026-11-21T14:35:00.000Z",
  exitCode: 2,
  ports: [],
  lastLine: "error",
};

async function listed(processes = [server, watcher]): Promise<TestWindow> {
  const window = testWindow();
  window.server.answers["process/list"] = () => ({ processes });
  window.controller.start();
  await settled();
  window.send("hello\r");
  await settled();
  window.send("/ps\r");
  await settled();
  return window;
}

const overlay = ({ store }: TestWindow) => store.get().overlay;

describe("/ps", () => {
  it("lists processes with state, age, ports and the last line, and reads the list again while it is open", async () => {
    const window = await listed();
    expect(overlay(window)).toMatchObject({ kind: "processes", processes: [server, watcher], selected: 0 });
    const list = {
      kind: "processes" as const,
      processes: [server, watcher],
      selected: 0,
      nowMs: Date.parse("2026-11-21T14:30:42Z"),
    };
    const rows = processListRows(list, {
      size: { columns: 70, rows: 12 },
      leaveArmed: false,
      chord: undefined,
      keys: usualKeymap.names,
    }).map(textOfRow);
    expect(rows.join("\n")).toMatch(/› p1 {2}npm run dev +:5173 {2}running {2}42 s/);
    expect(rows.join("\n")).toContain("Local: http://localhost:5173/");
    expect(rows.join("\n")).toMatch(/p2 {2}tsc --watch +exit 2 {2}5 min/);
    expect(rows.join("\n")).not.toContain("\u001b");
    window.clock.advance(1_000);
    await settled();
    expect(window.server.paramsOf("process/list")).toEqual([{ sessionId: "s1" }, { sessionId: "s1" }]);
    window.send(ESCAPE);
    window.clock.advance(5_000);
    await settled();
    expect(window.server.paramsOf("process/list")).toHaveLength(2);
  });

  it("opens what the marked one has printed", async () => {
    const window = await listed();
    window.server.answers["process/read"] = () => ({
      text: "building\ndone\n",
      offset: 7,
      nextOffset: 21,
      more: false,
    });
    window.send("\u001b[B");
    window.send("\r");
    await settled();
    expect(window.server.paramsOf("process/read")).toEqual([{ sessionId: "s1", processId: "p2" }]);
    expect(overlay(window)).toMatchObject({
      kind: "text",
      title: "p2 · tsc --watch",
      text: "… 7 bytes before\nbuilding\ndone\n",
    });
  });

  it("stops and keeps the marked one, and neither for one that has ended", async () => {
    const window = await listed();
    window.server.answers["process/keep"] = ({ keep }) => ({ process: { ...server, kept: keep } });
    window.server.answers["process/stop"] = () => ({ process: { ...server, state: "stopped" } });
    window.send("g");
    await settled();
    expect(window.server.paramsOf("process/keep")).toEqual([{ sessionId: "s1", processId: "p1", keep: true }]);
    expect(overlay(window)).toMatchObject({ processes: [{ kept: true }, {}] });
    for (const keys of ["s", "x", "s", ESCAPE]) window.send(keys);
    window.clock.advance(1_000);
    await settled();
    expect(window.server.paramsOf("process/stop")).toEqual([]);
    expect(overlay(window)).toMatchObject({ kind: "processes", stopping: undefined });
    for (const keys of ["s", "s"]) window.send(keys);
    await settled();
    expect(window.server.paramsOf("process/stop")).toEqual([{ sessionId: "s1", processId: "p1" }]);
    for (const keys of ["\u001b[B", "s", "s", "g"]) window.send(keys);
    await settled();
    expect(window.server.paramsOf("process/stop")).toHaveLength(1);
  });

  it("says when nothing runs, and when it could not ask", async () => {
    const empty = await listed([]);
    const list = { kind: "processes" as const, processes: [], selected: 0, nowMs: 0 };
    const rows = processListRows(list, {
      ...initialState,
      keys: usualKeymap.names,
      size: { columns: 60, rows: 10 },
      leaveArmed: false,
      chord: undefined,
    });
    expect(rows.map(textOfRow).join("\n")).toContain("Nothing runs in the background.");
    empty.send(ESCAPE);
    empty.server.answers["process/list"] = () => {
      throw new Error("no such session");
    };
    empty.send("/ps\r");
    await settled();
    expect(overlay(empty)).toBeUndefined();
    expect(empty.store.get().notes.at(-1)?.text).toContain("The processes could not be listed");
  });
});

describe("a command that begins with an exclamation mark", () => {
  it("is run by the server, with its result for the agent or not", async () => {
    const window = await listed([]);
    window.send(ESCAPE);
    window.server.answers["session/shell"] = () => ({ toolCallId: "call_1" });
    window.send("!npm test\r");
    await settled();
    window.send("!!cat diary\r");
    await settled();
    expect(window.server.paramsOf("session/shell")).toEqual([
      { sessionId: "s1", command: "npm test", share: true },
      { sessionId: "s1", command: "cat diary", share: false },
    ]);
    expect(window.server.paramsOf("session/prompt")).toHaveLength(1);
  });

  it("is stopped by Escape", async () => {
    const window = await listed([]);
    window.send(ESCAPE);
    const byPerson = { command: "sleep 9", share: true };
    const running = {
      sessionUpdate: "tool_call_update",
      toolCallId: "c1",
      status: "in_progress",
      name: "shell",
      title: "! sleep 9",
      byPerson,
    } as const;
    window.server.update("s1", 1, running);
    window.server.answers["session/cancel"] = () => ({ cancelled: true });
    window.send(ESCAPE);
    await settled();
    expect(window.server.paramsOf("session/cancel")).toEqual([{ sessionId: "s1" }]);
  });
});
