import { afterEach, describe, expect, it } from "vitest";
import { leftBehind } from "./left-behind.ts";
import { type OpenTerminal, openTerminal } from "./open-terminal.ts";
import { VirtualScreen } from "./virtual-screen.ts";

const opened: OpenTerminal[] = [];

function shell(script: string, env: Record<string, string> = {}): OpenTerminal {
  const terminal = openTerminal({ command: "sh", args: ["-c", script], cols: 40, rows: 10, env });
  opened.push(terminal);
  return terminal;
}

afterEach(async () => {
  for (const terminal of opened.splice(0)) await terminal.close();
});

describe("openTerminal", () => {
  it("shows what a program writes, types into it and reports how it ended", async () => {
    const terminal = shell("printf 'name? '; read name; echo hello $name; exit 3");
    await terminal.waitFor("name?");
    terminal.type("world");
    terminal.press("enter");
    await terminal.waitFor(/hello world/);
    expect(await terminal.exit).toMatchObject({ code: 3 });
    expect(terminal.screen()[1]).toBe("hello world");
    expect(terminal.bytesWritten).toBe(Buffer.byteLength(terminal.rawOutput));
  });

  it("passes nothing of our environment on but what a program needs", async () => {
    const terminal = shell("echo term:$TERM extra:$EXTRA vitest:$VITEST:", { EXTRA: "x" });
    await terminal.waitFor("term:xterm-256color extra:x vitest::");
  });

  it("says what was on the screen when the wait was in vain", async () => {
    const terminal = shell("echo something else");
    await expect(terminal.waitFor("never")).rejects.toThrow(
      /the program has ended before never appeared; the screen:\nsomething else/,
    );
  });

  it("waits for whole frames only, as a terminal shows them", async () => {
    // It continues once the terminal has answered, that is, has read everything that was written.
    const answered = "\\033[5n'; dd bs=1 count=4 2>/dev/null >&2";
    const terminal = shell(
      `stty raw -echo; printf '\\033[?2026hhalf${answered}; printf ' whole\\033[?2026l'; read -r _`,
    );
    const seen: (string | undefined)[] = [];
    await terminal.waitFor(([row]) => seen.push(row) > 0 && row?.includes("half") === true);
    expect(seen.at(-1)).toBe("half whole");
  });

  it("pastes in brackets only when the program asked for them", async () => {
    const terminal = shell("stty raw -echo; printf '\\033[?2004hready'; dd bs=1 count=15 2>/dev/null | od -An -c");
    await terminal.waitFor("ready");
    terminal.paste("a\nb");
    await terminal.waitFor(/033\s+\[\s+2\s+0\s+0\s+~\s+a\s+\\r\s+b/);
  });

  it("reports a new size to the program", async () => {
    const terminal = shell("trap 'stty size; kill $!; exit' WINCH; tail -f /dev/null & echo ready; wait");
    await terminal.waitFor("ready");
    terminal.resize(50, 12);
    await terminal.waitFor("12 50");
    expect(terminal.screen().length).toBe(12);
  });

  it.each([
    ["ctrl+c", "\u0003"],
    ["up", "\u001b[A"],
    ["shift+up", "\u001b[1;2A"],
    ["ctrl+home", "\u001b[1;5H"],
    ["ctrl+delete", "\u001b[3;5~"],
    ["shift+enter", "\u001b[13;2u"],
    ["alt+b", "\u001bb"],
  ])("presses %s", async (name, bytes) => {
    const terminal = shell(`stty raw -echo; printf ready; dd bs=1 count=${bytes.length} 2>/dev/null | od -An -tx1`);
    await terminal.waitFor("ready");
    terminal.press(name);
    const hex = Buffer.from(bytes).toString("hex").replace(/../g, " $&");
    await terminal.waitFor((rows) => rows.join("").replace(/\s+/g, " ").includes(hex.trim()));
  });
});

describe("VirtualScreen", () => {
  it("knows text, width and look of each cell, and the cursor", async () => {
    const screen = new VirtualScreen({ columns: 10, rows: 2 });
    await screen.write("\u001b[1;31ma\u001b[m日\u001b[48;2;1;2;3mb\u001b[?25l");
    const [row] = screen.cells();
    expect(row?.[0]).toMatchObject({ text: "a", bold: true, fg: "#e06c75" });
    expect(row?.[1]).toMatchObject({ text: "日", width: 2, fg: undefined });
    expect(row?.[2]).toMatchObject({ width: 0 });
    expect(row?.[3]).toMatchObject({ text: "b", bg: "#010203" });
    expect(screen.cursor).toEqual({ x: 4, y: 0, shown: false });
  });

  it.each([
    ["today", 2],
    ["old", 1],
  ] as const)("draws an emoji as %s terminals do", async (widths, cells) => {
    const screen = new VirtualScreen({ columns: 10, rows: 1, widths });
    await screen.write("👍");
    expect(screen.cursor.x).toBe(cells);
  });
});

describe("what a program leaves behind in a terminal", () => {
  it.each([
    [
      "\u001b[?1049h\u001b[?7l\u001b[?1002;1006h",
      ["mode 1049: set", "mode 7: reset", "mode 1002: set", "mode 1006: set"],
    ],
    ["\u001b[?1049h\u001b[?25l\u001b[?25h\u001b[?1049l", []],
    ["\u001b[>5u\u001b[>1u\u001b[<u", ["kitty's keyboard: 1"]],
    ["\u001b[>4;1m\u001b[>4m\u001b[31ma\u001b[m", []],
    ["\u001b[1;31m", ["look of text: 1;31"]],
    ["\u001b]2;a title\u001b\\", ["title: a title"]],
    ["\u001b[22;2t\u001b]2;a title\u001b\\\u001b[23;2t", []],
    ["\u001b]2;a title\u001b\\\u001b[22;2t\u001b[23;2t\u001b[22;2t", ["title: a title", 'kept title 1: "a title"']],
    ["\u001b]9;4;3\u001b\\\u001b[2 q", ["progress: 3", "form of the cursor: 2"]],
    ["\u001b]9;4;3\u001b\\\u001b]9;4;0\u001b\\\u001b[2 q\u001b[0 q", []],
  ])("of %j is %j", (output, left) => {
    expect(leftBehind(output)).toEqual(left);
  });
});

describe("pictures", () => {
  it("draws colours, looks and the cursor as SVG", async () => {
    const terminal = shell("printf '\\033[1;32m<ok>\\033[0m \\033[7mx\\033[0m\\n'");
    await terminal.exit;
    const svg = terminal.screenshotSvg();
    expect(svg).toMatch(/<text [^>]*fill="#98c379" font-weight="bold">&#60;ok&#62;<\/text>/);
    expect(svg).toContain('fill="#d7dae0"/><text');
    expect(svg).toContain('opacity="0.5"/>');
  });

  it("draws a PNG", async () => {
    const terminal = shell("echo hello");
    await terminal.exit;
    const png = await terminal.screenshotPng();
    expect(Buffer.from(png.subarray(1, 4)).toString()).toBe("PNG");
    expect(png.length).toBeGreaterThan(1000);
  });
});
