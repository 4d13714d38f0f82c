import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { type OpenTerminal, openTerminal } from "@harness/testkit/terminal";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { harnessEntry, TestHome } from "../../packages/cli/test/harness-process.ts";

let server: ModelServer;
let place: TestHome;
let open: OpenTerminal[] = [];

beforeAll(async () => {
  const lane = (match: string, ...replies: ReturnType<typeof turns.say>[]) => ({
    match,
    perConversation: true,
    turns: replies,
  });
  server = await startModelServer({
    scenario: {
      lanes: [
        lane("touch", turns.call("bash", { command: "touch made; echo made" }), turns.say("Done now.")),
        lane(
          "ask me",
          turns.call("question", { question: "Which way?", answers: ["Left", "Right"] }),
          turns.say("Thank you."),
        ),
        lane(
          "which ones",
          turns.call("question", { question: "Which ones?", answers: ["Red", "Green", "Blue"], several: true }),
          turns.say("Noted."),
        ),
        lane("fill in", turns.call("mcp__plain__ask", {}), turns.say("Filled in.")),
        lane(
          "in the background",
          turns.call("bash", { command: "echo ready; sleep 60", background: true }),
          turns.say("It runs."),
        ),
        lane("slowly", turns.call("bash", { command: "touch slow && sleep 60" }), turns.say("Steered.")),
      ],
      turns: [turns.say("Hello.\nSecond line.", { repeat: "always" })],
    },
  });
  place = new TestHome(server.environment);
  mkdirSync(place.home, { recursive: true });
  writeFileSync(join(place.home, "settings.json"), JSON.stringify({ mcp_wait_ms: 60_000 }));
});
afterEach(async () => {
  await Promise.all(open.map((terminal) => terminal.close()));
  open = [];
});
afterAll(async () => {
  await server?.close();
  place?.remove();
});

/** The output of `harness repl` with these lines piped in. */
async function said(lines: readonly string[], ...args: string[]) {
  const { code, stdout, stderr } = await place.run(["repl", ...args], { stdin: `${lines.join("\n")}\n` });
  // On a busy machine the scripted model may answer late.
  return { code, stdout: stdout.replace(/^Waiting for .*\n/gm, ""), stderr };
}

function onTerminal(args: readonly string[], env: Record<string, string> = {}): OpenTerminal {
  const { PATH, HOME, ...own } = place.env as Record<string, string>;
  const terminal = openTerminal({
    // The terminal of the test sets TERM itself.
    command: "/usr/bin/env",
    args: [...Object.entries(env).map(([name, value]) => `${name}=${value}`), process.execPath, harnessEntry, ...args],
    cwd: place.cwd,
    env: { ...own, HOME: HOME ?? "" },
  });
  open.push(terminal);
  return terminal;
}

describe("the line mode with lines of a script", () => {
  it("answers messages, passes over empty lines, and ends with quit, exit and the end of the input", async () => {
    for (const ending of [["quit"], ["exit"], ["/quit"], []]) {
      const { code, stdout, stderr } = await said(["", "hi", "  ", ...ending]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain(">>> hi\nHello.\nSecond line.\n>>> ");
      expect(stdout).not.toContain("\u001b");
    }
  });

  it("asks for permission in full, takes only an answer for one, and shows what came of it", async () => {
    const { stdout } = await said(["touch it", "yes please", "y", "quit"]);
    expect(stdout).toContain("● bash touch made; echo made");
    expect(stdout).toContain("Permission needed: bash touch made; echo made");
    expect(stdout).toContain("  y  ");
    expect(stdout).toContain("answer> yes please\nAnswer with one of the letters above; nothing has been decided.");
    expect(stdout).toMatch(/✓ .*made/);
    expect(stdout).toContain("Done now.");
    expect(readdirSync(place.cwd)).toContain("made");
  });

  it("denies with a reason, and if nobody can answer", async () => {
    expect((await said(["touch it again", "w use node instead", "quit"])).stdout).toContain("– denied");
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain("use node instead");
    expect((await said(["touch it at last"])).stdout).toContain("– denied");
  });

  it("has questions of the agent answered by number, by own words, or not at all", async () => {
    const answers = [
      ["2", "The person chose: Right"],
      ["straight on", "straight on"],
      ["skip", "declined to answer"],
    ] as const;
    for (const [line, heard] of answers) {
      const { stdout } = await said([`ask me for ${line}`, "", line, "quit"]);
      expect(stdout).toContain("Which way?\n  1  Left\n  2  Right\n");
      expect(stdout).toContain("That is not one of the answers");
      expect(stdout).toContain("Thank you.");
      expect([line, JSON.stringify(server.requests.at(-1)?.body)]).toEqual([line, expect.stringContaining(heard)]);
    }
  });

  it("takes several answers by their numbers, own words as they are, and no number that none of them has", async () => {
    const answers = [
      ["1, 3", "Red; Blue"],
      ["2 3", "Green; Blue"],
      ["3", "The person chose: Blue"],
      ["1 and a bit of 2", "1 and a bit of 2"],
    ] as const;
    for (const [line, heard] of answers) {
      const { stdout } = await said([`which ones: ${line}`, "1, 4", line, "quit"]);
      expect(stdout).toContain("  3  Blue\n  Answer with numbers such as 1, 3, or your own words, or skip");
      expect(stdout).toContain("That is not one of the answers");
      expect([line, JSON.stringify(server.requests.at(-1)?.body)]).toEqual([line, expect.stringContaining(heard)]);
    }
  });

  it("has the form of an MCP server filled in field by field, and says what a field takes", async () => {
    const given = join(place.root, "plain.json");
    const plain = resolve(import.meta.dirname, "../../packages/mcp/test/servers/plain-server.ts");
    const servers = { plain: { command: process.execPath, args: [plain, "long-form"] } };
    writeFileSync(given, JSON.stringify({ mcpServers: servers }));
    const lines = ["fill in the form", "Ann", "2", "many", "12", "1", "quit"];
    const { stdout } = await said(lines, "--mcp-config", given, "--allow", "mcp(plain/ask)");
    expect(stdout).toContain("The MCP server plain asks: Who are you?\n(1 of 4) name\n");
    expect(stdout).toContain("  1  small\n  2  large\n  Answer with a number, or skip to give no answer.\nanswer> 2\n");
    expect(stdout).toContain("answer> many\n");
    expect(stdout).toContain("That is not valid. Expected: ");
    expect(stdout).toContain("Filled in.");
    const heard = JSON.stringify(server.requests.at(-1)?.body).replaceAll("\\", "");
    expect(heard).toContain('{"name":"Ann","size":"large","count":12,"gift":true}');
  });

  it("shows tokens and money, and what runs in the background: lists it, reads it, keeps it, stops it", async () => {
    const { stdout } = await said([
      "/ps",
      "run it in the background",
      "y",
      "/cost",
      "/ps",
      "/ps p1",
      "/ps keep p1",
      "/ps keep p1",
      "/ps stop p1",
      "/ps stop p1",
      "/ps p9",
      "/ps do it now",
      "quit",
    ]);
    expect(stdout).toContain("Nothing runs in the background: no session is open here.");
    expect(stdout).toMatch(/MODEL +REQUESTS[\s\S]*this session +2[\s\S]*last turn/);
    expect(stdout).toMatch(/p1 +running +echo ready; sleep 60 +ready/);
    expect(stdout).toContain(">>> /ps p1\nready\n");
    expect(stdout).toContain("p1 goes on after the session.");
    expect(stdout).toContain("p1 ends with the session.");
    expect(stdout).toContain("p1 was stopped.\n>>> /ps stop p1\np1 is no longer running.");
    expect(stdout).toContain("There is no process p9. /ps lists them.");
    expect(stdout).toContain("Usage: /ps [ID | stop ID | keep ID]");
  });

  it("has commands of the server and of its own, and says what is none", async () => {
    const { stdout } = await said([
      "/help",
      "/nwe",
      "/title",
      "/model nothing",
      "/settings show_thinking true",
      "/settings show_thinking",
      "/settings show_thinking default",
      "/permissions",
      "hi",
      "/title The first",
      "/permission-mode accept-edits",
      "!echo from me",
      "/sessions",
      "1",
      "quit",
    ]);
    expect(stdout).toMatch(/\/compact .* +Summarise/);
    expect(stdout).toContain("There is no command /nwe. Did you mean /new?");
    expect(stdout).toContain("Usage: /title TITLE");
    expect(stdout).toContain("There is no model nothing.");
    expect(stdout).toContain("show_thinking is true (user).");
    expect(stdout).toContain("This session is now called: The first");
    expect(stdout).toMatch(/● .*echo from me\n {2}✓ .*from me/);
    expect(stdout).toMatch(/\n1 +\d{4}-.* +The first\n/);
    expect(stdout).toMatch(/Session \S+: The first\n>>> quit\n$/);
  });

  it("continues the newest session or the one that is named, and refuses one that is not there", async () => {
    const { stdout } = await said(["and again", "quit"], "-c");
    const [, id = ""] = /Session (\S+): The first/.exec(stdout) ?? [];
    expect((await said(["quit"], "-r", id)).stdout).toContain(`Session ${id}: The first`);
    expect(await said(["quit"], "-r", "nonsense")).toMatchObject({
      code: 7,
      stderr: expect.stringContaining("nonsense"),
    });
    expect((await said(["1", "quit"], "-r")).stdout).toContain(`Session ${id}: The first`);
  });

  it("leaves the files of a folder that is not trusted without effect, and says so", async () => {
    const folder = join(place.root, "cloned");
    mkdirSync(join(folder, ".harness"), { recursive: true });
    writeFileSync(join(folder, ".harness/settings.json"), '{"model": "other"}\n');
    expect((await said(["quit"], "-C", folder)).stdout).toContain("is not trusted");
    expect((await said(["quit"], "-C", folder, "--trust")).stdout).toContain("Trusted for this run");
  });
});

describe("the line mode on a terminal", () => {
  it.each([
    [[], { TERM: "dumb" }],
    [[], { INK_SCREEN_READER: "true" }],
    [[], { ACCESSIBLE: "1" }],
    [[], { HARNESS_LINE_MODE: "true" }],
    [["--line"], {}],
    [["repl"], {}],
  ])("opens with %j and %j, moves no cursor about, and Ctrl+C at rest leaves the second time", async (args, env) => {
    const terminal = onTerminal(args, env as Record<string, string>);
    await terminal.waitFor(">>>");
    terminal.type("hi\r");
    await terminal.waitFor("Second line.");
    await terminal.waitFor((rows) => rows.filter((row) => row.startsWith(">>>")).length === 2);
    expect(terminal.rawOutput).not.toContain("?1049h");
    terminal.type("\u0003");
    await terminal.waitFor("Press Ctrl+C again");
    terminal.type("\u0003");
    expect(await terminal.exit).toMatchObject({ code: 130 });
  });

  it("asks about trust, has a session chosen with -r, and takes messages and /stop while a turn runs", async () => {
    const terminal = onTerminal(["repl", "-r", "-C", join(place.root, "cloned")]);
    await terminal.waitFor("Trust this folder?");
    terminal.type("perhaps\r");
    await terminal.waitFor("nothing has been decided");
    terminal.type("n\r");
    await terminal.waitFor("Not trusted");
    await terminal.waitFor(">>>");
    terminal.type("slowly\r");
    await terminal.waitFor("Permission needed");
    terminal.type("y\r");
    // Lines that arrive together with the answer would count as pasted with it.
    await vi.waitFor(() => expect(existsSync(join(place.root, "cloned/slow"))).toBe(true), { timeout: 50_000 });
    terminal.type("and faster\r");
    await terminal.waitFor("Sent with the next step.");
    terminal.type("/model\r");
    await terminal.waitFor("A turn is running: /model can be run when it has ended");
    terminal.type("/status\r");
    await terminal.waitFor("Commands run without a sandbox");
    terminal.type("/stop\r");
    await terminal.waitFor("The turn was cancelled.");
    terminal.type("\u0004");
    expect(await terminal.exit).toMatchObject({ code: 0 });
  });
});
