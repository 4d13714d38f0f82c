// History as a terminal drives it: stored sessions, a real window and server, keys and the mouse.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "@harness/storage";
import { appendAll, idle, type ModelServer, startModelServer, turns, userSays } from "@harness/testkit";
import { type OpenTerminal, openTerminal } from "@harness/testkit/terminal";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { harnessEntry, TestHome } from "../../packages/cli/test/harness-process.ts";

const SESSIONS = 60;
const START = Date.UTC(2026, 10, 1);

let place: TestHome;
let model: ModelServer;
let ids: string[] = [];
let opened: OpenTerminal | undefined;

beforeAll(async () => {
  model = await startModelServer({ scenario: { turns: [turns.say("Understood.", { repeat: "always" })] } });
  place = new TestHome({ OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: "test-key" });
  mkdirSync(place.home, { recursive: true });
  ids = leaveSessions();
});
afterEach(() => opened?.close());
afterAll(async () => {
  place?.remove();
  await model?.close();
});

/** A minute after one another; the one in the middle says a word of its own, many messages before its end. */
function leaveSessions(): string[] {
  let now = START;
  const store = openStore(join(place.home, "conversations"), { clock: { now: () => now } });
  return Array.from({ length: SESSIONS }, (_, n) => {
    now += 60_000;
    const createdAt = new Date(now).toISOString();
    const cwd = n % 2 === 0 ? place.cwd : place.root;
    const log = store.create({ sessionId: store.newSessionId(), cwd, createdAt, version: 1 });
    const more = Array.from({ length: n === 30 ? 40 : 0 }, (_each, at) => ({
      ...userSays(at === 5 ? "look at the zebrafish" : `message ${at}`),
      messageId: `m${at}`,
    }));
    appendAll(log, [userSays(`Task number ${n}`), ...more, idle], now);
    log.close();
    return log.header.sessionId;
  });
}

function history(): OpenTerminal {
  const { PATH, HOME, ...env } = place.env as Record<string, string>;
  opened = openTerminal({
    command: process.execPath,
    args: [harnessEntry, "-r"],
    cwd: place.cwd,
    env: { ...env, HOME: HOME ?? "" },
    rows: 24,
  });
  return opened;
}

/** The row of the screen with this text. */
function rowOf(terminal: OpenTerminal, text: string): number {
  return terminal.screen().findIndex((row) => row.includes(text));
}

it("finds what was said in one of many sessions, and opens it there", async () => {
  const terminal = history();
  await terminal.waitFor("30 sessions");
  terminal.type("zebra");
  await terminal.waitFor("1 passage");
  await terminal.waitFor("you: look at the zebrafish");
  terminal.press("enter");
  await terminal.waitFor(/find: zebra +1 of 1/);
  await terminal.waitFor("look at the zebrafish");
  expect(terminal.screen().join("\n")).not.toContain("message 39");
});

it("marks, exports, deletes and brings back several of all folders, and opens with two clicks", async () => {
  const terminal = history();
  await terminal.waitFor("30 sessions");
  terminal.press("tab");
  await terminal.waitFor("60 sessions");
  const click = (x: number, y: number): void =>
    terminal.type(`\u001b[<0;${x + 1};${y + 1}M\u001b[<0;${x + 1};${y + 1}m`);
  for (const n of [58, 56]) click(3, rowOf(terminal, `Task number ${n}`));
  await terminal.waitFor("2 marked");
  terminal.type("\u0007\u0015out\r");
  await terminal.waitFor("2 sessions exported");
  for (const n of [58, 56]) expect(existsSync(join(place.cwd, "out", `${ids[n]}.md`))).toBe(true);
  for (const n of [58, 56]) click(3, rowOf(terminal, `Task number ${n}`));
  await terminal.waitFor("2 marked");
  terminal.type("\u001b[3~");
  await terminal.waitFor("Delete 2 marked sessions?");
  terminal.type("\t\r");
  await terminal.waitFor("2 sessions deleted");
  await terminal.waitFor("58 sessions");
  terminal.type("\u001f");
  await terminal.waitFor("2 sessions brought back");
  await terminal.waitFor("60 sessions");
  const at = rowOf(terminal, "Task number 55");
  click(12, at);
  await terminal.waitFor(() => terminal.screen()[at]?.includes("›") === true);
  click(12, at);
  await terminal.waitFor("▌ Task number 55");
});
