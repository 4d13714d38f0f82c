// The window in a shell with job control: stopped and continued, killed, resized, in a multiplexer.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { leftBehind, type OpenTerminal, openTerminal } from "@harness/testkit/terminal";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { harnessEntry, TestHome } from "../../packages/cli/test/harness-process.ts";

let server: ModelServer;
let place: TestHome;
let terminal: OpenTerminal | undefined;

const LINES = 60;
const paragraph = "Some words of a long answer, with `code` and **strong** ones. ".repeat(3);
const streamed = Array.from({ length: LINES }, (_, n) => `${n}. ${paragraph}\n`).join("");

beforeAll(async () => {
  server = await startModelServer({
    scenario: { turns: [turns.say(streamed, { repeat: "always", chunk: { size: 60, delayMs: 5 } })] },
  });
  place = new TestHome(server.environment);
});
afterEach(() => terminal?.close());
afterAll(async () => {
  place?.remove();
  await server?.close();
});

function shell(script: string, env: Record<string, string> = {}): OpenTerminal {
  const { PATH, HOME, ...own } = place.env as Record<string, string>;
  terminal = openTerminal({
    command: "/bin/bash",
    args: ["--norc", "-c", `set -m; ${script}`],
    cwd: place.cwd,
    env: { ...own, HOME: HOME ?? "", NODE: process.execPath, ENTRY: harnessEntry, TERM_PROGRAM: "ghostty", ...env },
    rows: 24,
  });
  return terminal;
}

describe("the window in a shell", () => {
  it("gives the terminal back whole at Ctrl+Z, takes all of it again, and leaves nothing for the shell to read", async () => {
    const opened = shell('"$NODE" "$ENTRY"; echo "[stopped]"; read -r line; fg; echo "[ended]"; stty -a; cat -v');
    await opened.waitFor("scripted-model");
    opened.type("a draft");
    await opened.waitFor("> a draft");
    // A frame may have arrived in part.
    await opened.waitFor(() => !leftBehind(opened.rawOutput).includes("mode 2026: set"));
    const before = leftBehind(opened.rawOutput).sort();
    expect(before).toContain("title: project · harness");
    opened.press("ctrl+z");
    await opened.waitFor("[stopped]");
    expect(leftBehind(opened.rawOutput)).toEqual([]);
    opened.type("echoed by the shell");
    await opened.waitFor("echoed by the shell");
    opened.press("enter");
    await opened.waitFor("> a draft");
    await opened.waitFor(() => leftBehind(opened.rawOutput).sort().join() === before.join());

    opened.type("\u0015/quit\r");
    // The wheel, the focus and a reply of the terminal that arrive while it exits.
    opened.type("\u001b[<64;3;3M\u001b[I\u001b]11;rgb:0000/0000/0000\u001b\\\u001b[?62;22c");
    await opened.waitFor("[ended]");
    await opened.waitFor("isig icanon iexten echo");
    opened.type("the end\r");
    await opened.waitFor((rows) => rows.filter((row) => row === "the end").length === 2);
    expect(opened.screen().join("\n")).not.toMatch(/\^\[|\[<64|\[I|rgb:/);
    expect(leftBehind(opened.rawOutput)).toEqual([]);
    expect(opened.rawOutput).not.toContain("\u001b[3J");
  });

  it("is drawn whole at every size of a storm, while an answer streams and keys, wheel and mouse come in", async () => {
    const opened = shell('(echo $BASHPID > pid; exec "$NODE" "$ENTRY"); echo "[ended]"; read -r line');
    await opened.waitFor("scripted-model");
    opened.type("tell me more\r");
    await opened.waitFor(/\d\. Some words/);
    const typed = Array.from({ length: 60 }, (_, n) => String.fromCharCode(97 + (n % 26))).join("");
    for (const [n, letter] of [...typed].entries()) {
      opened.type(letter);
      if (n % 4 === 0) opened.resize(50 + ((n * 37) % 100), 12 + ((n * 13) % 30));
      if (n % 6 === 0) opened.press(n % 12 ? "pageup" : "pagedown");
      opened.type("\u001b[<64;9;5M".repeat(4));
      await new Promise(setImmediate);
    }
    opened.resize(80, 24);
    await opened.waitFor((rows) => rows.length === 24 && rows.some((row) => /^─{80}$/.test(row)));
    await opened.waitFor(`> ${typed}`);

    opened.press("ctrl+end");
    await opened.waitFor(`${LINES - 1}. Some words`);
    await opened.waitFor(/tokens in/);
    opened.press("pageup");
    await opened.waitFor(/more rows?/);
    const y = opened.screen().findIndex((row) => /\d\. Some words/.test(row));
    const x = opened.screen()[y]?.indexOf("Some words") ?? 0;
    const mouse = (button: number, at: number, end: "M" | "m") => `\u001b[<${button};${at + 1};${y + 1}${end}`;
    opened.type(mouse(0, x, "M") + mouse(32, x + 9, "M"));
    await opened.waitFor(() => opened.screenModel.cells()[y]?.[x + 9]?.inverse === true);
    opened.type(mouse(0, x + 9, "m"));
    await opened.waitFor("Copied 10 characters.");
    expect(opened.rawOutput).toContain(`]52;c;${Buffer.from("Some words").toString("base64")}`);

    // Ctrl+L, or the returning focus, removes what another program wrote on the screen.
    for (const again of ["\u000c", "\u001b[I"]) {
      await opened.screenModel.write("\u001b[5;10Hby another program");
      opened.type(again);
      await opened.waitFor((rows) => !rows.join("\n").includes("by another program"));
    }
    expect(opened.rawOutput).not.toContain("\u001b[3J");
    process.kill(Number(readFileSync(join(place.cwd, "pid"), "utf8")), "SIGKILL");
    // The shell continues at once, perhaps still on the screen of the window, which is left a moment later.
    await opened.waitFor(() => opened.rawOutput.includes("[ended]"));
    await opened.waitFor(() => leftBehind(opened.rawOutput).length === 0);
  });
});

describe("the window inside a multiplexer", () => {
  it.for([
    ["tmux", 'tmux -S "$HOME/tmux" -f /dev/null new-session \'"$NODE" "$ENTRY"\' \\; set -g mouse on'],
    ["screen", 'screen -c /dev/null "$NODE" "$ENTRY"'],
  ])(
    "%s draws it whole, gives it keys, wheel and sizes, and is left in order",
    async ([program = "", command = ""], { skip }) => {
      if (spawnSync("sh", ["-c", `command -v ${program}`]).status !== 0) skip(`${program} is not installed.`);
      const opened = shell(`${command}; echo "[ended]"`);
      await opened.waitFor("scripted-model");
      opened.type("tell me more\r");
      await opened.waitFor(`${LINES - 1}. Some words`);
      opened.resize(70, 20);
      await opened.waitFor((rows) => rows.filter((row) => /^─{70}$/.test(row)).length === 2);
      opened.type("\u001b[<64;9;5M".repeat(3));
      await opened.waitFor(/more rows?/);
      opened.press("ctrl+end");
      await opened.waitFor(`${LINES - 1}. Some words`);
      opened.type("/quit\r");
      await opened.waitFor("[ended]");
      expect(opened.screen().join("\n")).not.toContain("Some words");
    },
  );

  it.for([
    ["set-clipboard on", true],
    ["allow-passthrough on", true],
    ["set-clipboard off", false],
  ] as const)(
    "tmux with %s has copied text in the clipboard of its terminal: %s",
    async ([option, isThere], { skip }) => {
      if (spawnSync("tmux", ["-V"]).status !== 0) skip("tmux is not installed.");
      const inside = `tmux -S "$HOME/tmux-copy" -f "$HOME/tmux.conf" new-session '"$NODE" "$ENTRY"'`;
      const opened = shell(`echo 'set -g ${option}' > "$HOME/tmux.conf"; ${inside}; echo "[ended]"`);
      await opened.waitFor("scripted-model");
      opened.type("tell me more\r");
      await opened.waitFor(`${LINES - 1}. Some words`);
      opened.type("/copy\r");
      await opened.waitFor("Copied");
      const start = Buffer.from(streamed.slice(0, 30)).toString("base64").slice(0, 36);
      opened.type("/quit\r");
      await opened.waitFor("[ended]");
      expect(opened.rawOutput.includes(start)).toBe(isThere);
    },
  );
});
