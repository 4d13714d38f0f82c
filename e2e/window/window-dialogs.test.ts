// Dialogs as a terminal shows them and the user answers them: a real window, a real server, a scripted model.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { type OpenTerminal, openTerminal, type TerminalOptions } from "@harness/testkit/terminal";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { harnessEntry, TestHome } from "../../packages/cli/test/harness-process.ts";

let model: ModelServer;
let place: TestHome;
let terminal: OpenTerminal;

beforeEach(async () => {
  const touch = turns.call("bash", { command: "touch made" });
  model = await startModelServer({ scenario: { turns: [touch, turns.say("Done now.", { repeat: "always" })] } });
  place = new TestHome({ ...model.environment, HARNESS_MODEL: "scripted" });
});
afterEach(async () => {
  await terminal?.close();
  await model.close();
  place.remove();
});

function open(args: readonly string[], options: Partial<TerminalOptions> = {}): void {
  const { PATH, HOME, ...env } = place.env as Record<string, string>;
  terminal = openTerminal({
    command: process.execPath,
    args: [harnessEntry, ...args],
    cwd: place.cwd,
    env: { ...env, PATH: PATH ?? "", HOME: HOME ?? "" },
    cols: 80,
    rows: 30,
    ...options,
  });
}

/** The card is in view and accepts keys. */
const isArmed = (rows: readonly string[]) => rows.some((row) => row.includes("· Enter"));
const TOO_SMALL = /too\s+small/;

/** Waits until all keys so far have been read: the last one redraws the screen. */
async function keysRead(): Promise<void> {
  const drawn = () => terminal.rawOutput.split("small (").length;
  const before = drawn();
  terminal.press("ctrl+l");
  await terminal.waitFor(() => drawn() > before);
}
const hasRun = () => existsSync(join(place.cwd, "made"));

async function asked(args: readonly string[], options: Partial<TerminalOptions> = {}): Promise<void> {
  open(args, options);
  await terminal.waitFor("scripted");
  terminal.type("go\r");
  await terminal.waitFor("Run a command");
}

describe.each([
  ["the window", []],
  ["an inline window", ["--inline"]],
])("in %s", (_, args) => {
  it("words at a permission are a message, and a letter answers with its Enter", async () => {
    await asked(args);
    await terminal.waitFor(isArmed);
    terminal.type("s");
    await terminal.waitFor(/› ?s /);
    for (const key of "top, not that") terminal.type(key);
    await terminal.waitFor("> stop, not that");
    terminal.type("\r");
    await terminal.waitFor("1 queued");
    // A line that arrives in one piece is a message, too.
    terminal.type("rather use make\r");
    await terminal.waitFor("2 queued");
    expect([isArmed(terminal.screen()), hasRun()]).toEqual([true, false]);
  });

  it.each([
    [23, 24],
    [80, 4],
    [20, 5],
  ])("no key answers while a terminal of %i×%i is too small to show what is asked", async (cols, rows) => {
    await asked(args);
    await terminal.waitFor(isArmed);
    terminal.resize(cols, rows);
    await terminal.waitFor(TOO_SMALL);
    for (const key of ["y", "enter", "s", "enter", "end", "y", "enter", "down", "up", "enter"]) terminal.press(key);
    terminal.type("\u001b[200~hello\u001b[201~\r");
    await keysRead();
    terminal.resize(80, 30);
    await terminal.waitFor(isArmed);
    expect(terminal.screen().some((row) => /› ?y /.test(row))).toBe(true);
    expect(terminal.screen().join("\n")).toContain("> Answer above");
    expect([hasRun(), terminal.screen().join("\n").includes("queued")]).toEqual([false, false]);
    terminal.press("enter");
    await terminal.waitFor("Done now.");
    expect(hasRun()).toBe(true);
  });

  it("no key answers while the terminal does not say that it has shown what is asked", async () => {
    let replies = 0;
    const answer = (reply: string) => (reply === "\u001b[0n" && replies++ > 0 ? "" : reply);
    await asked(args, { answer });
    for (const key of ["y", "enter", "s", "enter"]) terminal.press(key);
    terminal.type("hello");
    await terminal.waitFor("hello");
    expect([isArmed(terminal.screen()), hasRun()]).toEqual([false, false]);
  });
});

it("a message that is typed in a terminal that is too small is not sent", async () => {
  open([], { cols: 20, rows: 20 });
  await terminal.waitFor(TOO_SMALL);
  terminal.type("go\r");
  await keysRead();
  terminal.resize(80, 24);
  await terminal.waitFor("scripted");
  await terminal.waitFor("> Ask anything");
  expect(model.chatRequests).toEqual([]);
});

describe("the question of trust", () => {
  const decision = () => {
    const path = join(place.home, "trust.json");
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  };

  it("leaves words to the input, which shows them, and is answered with Enter", async () => {
    writeFileSync(join(place.cwd, ".mcp.json"), JSON.stringify({ mcpServers: { one: { command: "true" } } }));
    open([], { cols: 80, rows: 24 });
    await terminal.waitFor("› n  Do not trust it");
    terminal.type("t");
    await terminal.waitFor("› t  Trust exactly this content");
    for (const key of "o do it") terminal.type(key);
    await terminal.waitFor("> to do it");
    await terminal.waitFor("Your keys go to the message below.");
    terminal.type("\r");
    await terminal.waitFor("your message is sent once you have answered");
    expect([decision(), model.chatRequests.length]).toEqual(["", 0]);
    terminal.resize(20, 20);
    await terminal.waitFor(TOO_SMALL);
    for (const key of ["end", "t", "enter"]) terminal.press(key);
    await keysRead();
    terminal.resize(80, 24);
    await terminal.waitFor("› n  Do not trust it");
    expect(decision()).toBe("");
    terminal.type("t");
    await terminal.waitFor("› t  Trust exactly this content");
    terminal.press("enter");
    await terminal.waitFor("Run a command");
    expect(decision()).toContain('"trust"');
  });
});
