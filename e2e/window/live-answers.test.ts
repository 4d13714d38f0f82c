// `harness sessions --live` in a real terminal: what waits in sessions without a window is answered from the list.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { turns } from "@harness/testkit";
import { type OpenTerminal, openTerminal } from "@harness/testkit/terminal";
import { afterEach, describe, expect, it, vi } from "vitest";
import { harnessEntry } from "../../packages/cli/test/harness-process.ts";
import { ListeningHome } from "../support/listening-server.ts";

let place: ListeningHome;
const terminals: OpenTerminal[] = [];
afterEach(async () => {
  await Promise.all(terminals.splice(0).map((each) => each.close()));
  await place.close();
});

const text = (name: string) => {
  const path = join(place.cwd, name);
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
};

/** A background session whose first step is this call, and which waits for a person. */
async function waiting(call: ReturnType<typeof turns.call>, ...flags: string[]): Promise<string> {
  place = await ListeningHome.with({ turns: [call, turns.say("All done.", { repeat: "always" })] });
  const { stdout } = await place.run("run", "--background", "--json", ...flags, "make it");
  const { sessionId } = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as { sessionId: string };
  await until(async () => (await state())?.asks.length === 1);
  return sessionId;
}

/** Whether the model was sent these words. */
const heard = (words: string) => place.model.requests.some(({ body }) => JSON.stringify({ body }).includes(words));

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(holds, { timeout: 20_000 });
}

async function state(): Promise<{ state: string; asks: string[] } | undefined> {
  return JSON.parse((await place.run("sessions", "--live", "--json")).stdout).sessions[0];
}

function list(): OpenTerminal {
  const { PATH: _path, HOME = "", ...env } = place.env as Record<string, string>;
  const terminal = openTerminal({
    command: "/bin/bash",
    args: ["--norc", "-c", '"$NODE" "$ENTRY" sessions --live; echo "[ended]"; read -r line'],
    cwd: place.cwd,
    env: { ...env, HOME, NODE: process.execPath, ENTRY: harnessEntry },
  });
  terminals.push(terminal);
  return terminal;
}

async function answerHere(): Promise<OpenTerminal> {
  const terminal = list();
  await terminal.waitFor("Answer here");
  terminal.type("2");
  await terminal.waitFor("Ctrl+D leaves it open.");
  return terminal;
}

const command = turns.call("bash", { command: "echo yes > made" });

describe("harness sessions --live on a terminal", () => {
  it("asks about a command, with words for a no", async () => {
    await waiting(command);
    const terminal = await answerHere();
    await terminal.waitFor(/echo yes > made/);
    await terminal.waitFor("answer>");
    terminal.type("w use make instead");
    terminal.press("enter");
    await terminal.waitFor("[ended]");
    await until(async () => (await state())?.state !== "requires_action");
    expect(text("made")).toBeUndefined();
    await until(() => heard("use make instead"));
  });

  it("leaves a request open that nobody answers, and Enter changes nothing", async () => {
    await waiting(command);
    const first = list();
    await first.waitFor("Answer here");
    first.press("enter");
    await first.waitFor("[ended]");
    const second = await answerHere();
    await second.waitFor("answer>");
    second.press("ctrl+d");
    await second.waitFor("[ended]");
    expect(await state()).toMatchObject({ state: "requires_action", asks: ["bash echo yes > made"] });
    const third = await answerHere();
    await third.waitFor("answer>");
    third.type("y");
    third.press("enter");
    await third.waitFor("[ended]");
    await until(() => text("made") === "yes\n");
  });

  it("asks a question of the agent, and leaves it open", async () => {
    await waiting(turns.call("question", { question: "Which side?", answers: ["Left", "Right"] }));
    expect((await state())?.asks).toEqual(["Which side?"]);
    const first = await answerHere();
    await first.waitFor(/2 {2}Right/);
    first.press("ctrl+d");
    await first.waitFor("[ended]");
    expect((await state())?.asks).toEqual(["Which side?"]);
    const second = await answerHere();
    await second.waitFor(/2 {2}Right/);
    second.type("2");
    second.press("enter");
    await second.waitFor("[ended]");
    await until(() => heard("1. Right") || heard("Right\\"));
  });

  it("leads through the changes of a review", async () => {
    const call = turns.call("write", { path: "new.txt", content: "one\n" });
    await waiting(call, "--permission-mode", "review");
    const terminal = await answerHere();
    await terminal.waitFor("review>");
    terminal.type("y");
    terminal.press("enter");
    await terminal.waitFor("All are decided");
    terminal.type("y");
    terminal.press("enter");
    await terminal.waitFor("[ended]");
    await until(() => text("new.txt") === "one\n");
  });
});
