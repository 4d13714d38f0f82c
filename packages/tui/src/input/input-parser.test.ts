import { describe, expect, it } from "vitest";
import { keyName } from "../keymap/key-name.ts";
import { inputKeys, transcriptKeys } from "../keymap/shared-keys.ts";
import { windowKeys } from "../keymap/window-keys.ts";
import type { InputEvent, KeyEvent } from "./input-event.ts";
import { InputParser, type Timer } from "./input-parser.ts";

/** A timer that expires when the test says so. */
class HandTimer implements Timer {
  #expired: (() => void) | undefined;
  ms = 0;
  set(ms: number, expired: () => void): unknown {
    this.ms = ms;
    this.#expired = expired;
    return expired;
  }
  clear(): void {
    this.#expired = undefined;
  }
  get isSet(): boolean {
    return this.#expired !== undefined;
  }
  expire(): void {
    const expired = this.#expired;
    this.#expired = undefined;
    expired?.();
  }
}

/** How the tables below write events. */
function said(event: InputEvent): string {
  if (event.type === "key")
    return event.text !== "" && event.text !== event.name ? `${keyName(event)}=${event.text}` : keyName(event);
  if (event.type === "paste")
    return `paste(${event.text})${event.cut ? " cut" : ""}${event.hidden ? ` -${event.hidden.count}` : ""}`;
  if (event.type === "mouse") return `${event.action} ${event.x},${event.y}`;
  if (event.type === "wheel") return `wheel ${event.direction} ${event.x},${event.y}`;
  return event.type === "focus" ? `focus ${event.focused}` : `reply ${event.kind}`;
}

function read(chunks: readonly (string | Uint8Array)[], maxPaste?: number): string[] {
  const events: string[] = [];
  const timer = new HandTimer();
  const parser = new InputParser({
    onEvent: (event) => events.push(said(event)),
    timer,
    ...(maxPaste ? { maxPaste } : {}),
  });
  for (const chunk of chunks) parser.push(chunk);
  timer.expire();
  return events;
}

const E = "\u001b";
const table: readonly (readonly [name: string, bytes: string, events: readonly string[]])[] = [
  ["letters", "aB?", ["a", "b=B", "?"]],
  ["text and Enter in one chunk", "hi\r", ["h", "i", "enter"]],
  ["umlauts, wide, emoji", "ä日👍🏽", ["ä", "日", "👍🏽"]],
  ["blank", " ", ["space= "]],
  [
    "controls",
    "\u0001\u0003\u0004\u000a\u001f\u0000",
    ["ctrl+a", "ctrl+c", "ctrl+d", "ctrl+j", "ctrl+_", "ctrl+space"],
  ],
  ["tab, enter, backspace", "\t\r\u007f\u0008", ["tab", "enter", "backspace", "backspace"]],
  ["arrows", `${E}[A${E}[B${E}[C${E}[D`, ["up", "down", "right", "left"]],
  ["application arrows", `${E}OA${E}OD${E}OH${E}OF`, ["up", "left", "home", "end"]],
  [
    "arrows with modifiers",
    `${E}[1;2A${E}[1;5C${E}[1;3D${E}[1;6B`,
    ["shift+up", "ctrl+right", "alt+left", "ctrl+shift+down"],
  ],
  ["editing keys", `${E}[2~${E}[3~${E}[5~${E}[6~${E}[3;5~`, ["insert", "delete", "pageup", "pagedown", "ctrl+delete"]],
  [
    "home and end everywhere",
    `${E}[H${E}[F${E}[1~${E}[4~${E}[7~${E}[8~`,
    ["home", "end", "home", "end", "home", "end"],
  ],
  ["ctrl+home, ctrl+end", `${E}[1;5H${E}[1;5F`, ["ctrl+home", "ctrl+end"]],
  ["function keys", `${E}OP${E}[15~${E}[24~${E}[1;2Q${E}[13~`, ["f1", "f5", "f12", "shift+f2", "f3"]],
  ["linux console", `${E}[[A${E}[[E`, ["f1", "f5"]],
  [
    "rxvt",
    `${E}[a${E}Od${E}[3$${E}[3^${E}[7@${E}${E}[A`,
    ["shift+up", "ctrl+left", "shift+delete", "ctrl+delete", "ctrl+shift+home", "alt+up"],
  ],
  ["keypad", `${E}Oj${E}Op${E}OM`, ["*", "0", "enter"]],
  ["shift+tab", `${E}[Z`, ["shift+tab"]],
  ["alt with letters", `${E}b${E}f${E}\u007f${E}\r${E}ä`, ["alt+b", "alt+f", "alt+backspace", "alt+enter", "alt+ä"]],
  ["alt with letters that start strings", `${E}]x${E}Px${E}_x`, ["alt+]", "x", "alt+shift+p", "x", "alt+_", "x"]],
  [
    "kitty",
    `${E}[27u${E}[13;2u${E}[13;5u${E}[13;3u${E}[9;5u`,
    ["escape", "shift+enter", "ctrl+enter", "alt+enter", "ctrl+tab"],
  ],
  ["kitty letters", `${E}[99;5u${E}[122;6u${E}[97;2u${E}[97:65;2u`, ["ctrl+c", "ctrl+shift+z", "a=A", "a=A"]],
  ["kitty on a Cyrillic keyboard", `${E}[1089::99;5u`, ["ctrl+c"]],
  ["kitty text", `${E}[97;;229u`, ["a=å"]],
  ["kitty releases and lone modifiers", `${E}[97;1:3u${E}[1;1:3A${E}[57441;2u`, []],
  ["kitty keypad", `${E}[57400u${E}[57414u${E}[57419u`, ["1", "enter", "up"]],
  [
    "modifyOtherKeys",
    `${E}[27;2;13~${E}[27;5;13~${E}[27;6;90~${E}[27;5;99~`,
    ["shift+enter", "ctrl+enter", "ctrl+shift+z", "ctrl+c"],
  ],
  ["focus", `${E}[I${E}[O`, ["focus true", "focus false"]],
  ["wheel", `${E}[<64;10;5M${E}[<65;1;1M${E}[<68;2;2M`, ["wheel -1 9,4", "wheel 1 0,0", "wheel -1 1,1"]],
  ["clicks", `${E}[<0;10;5M${E}[<0;10;5mx`, ["press 9,4", "release 9,4", "x"]],
  ["drags, with Shift too", `${E}[<0;1;1M${E}[<32;3;2M${E}[<36;4;2M`, ["press 0,0", "drag 2,1", "drag 3,1"]],
  ["other buttons and moves are swallowed", `${E}[<2;10;5M${E}[<2;10;5m${E}[<1;3;3M${E}[<34;3;3M${E}[<35;3;3Mx`, ["x"]],
  ["the old mouse form is swallowed", `${E}[M abx`, ["x"]],
  [
    "replies",
    `${E}[?62;22c${E}[>1;2c${E}[12;40R${E}[?5u${E}[?2026;2$y${E}[0n${E}]11;rgb:0/0/0${E}\\${E}P1$r0m${E}\\a`,
    [
      "reply attributes",
      "reply attributes",
      "reply cursor",
      "reply keyboard",
      "reply mode",
      "reply other",
      "reply other",
      "reply other",
      "a",
    ],
  ],
  ["paste", `${E}[200~a\rb\r\nc\td${E}[201~x`, ["paste(a\nb\nc\td)", "x"]],
  ["paste with sequences in it", `${E}[200~a${E}[31mb\u0007${E}[?1049hc${E}[201~`, ["paste(abc)"]],
  [
    "keys within a paste (tmux with csi-u)",
    `${E}[200~a${E}[13;1ub${E}[13uc${E}[106;5ud${E}[27;5;106~e${E}[9uf${E}[105;5ug${E}[228uh${E}[109;5u${E}[1;5Di${E}[97;1:3u${E}[201~`,
    ["paste(a\nb\nc\nd\ne\tf\tgäh\ni)"],
  ],
  [
    "text with Shift, and colours, as keys within a paste",
    `${E}[200~${E}[97:65;2u${E}[27u[31mx${E}[201~`,
    ["paste(Ax)"],
  ],
  ["a key that brings its text types it", `${E}[224;3;64u${E}[101;7;8364u`, ["@", "€"]],
  ["but not a key of its own", `${E}[98;3;98u${E}[99;5u`, ["alt+b", "ctrl+c"]],
  ["empty paste", `${E}[200~${E}[201~`, ["paste()"]],
  ["unknown sequences say nothing", `${E}[99X${E}[1;2;3qz`, ["z"]],
  ["alt+[", `${E}[\u0001`, ["alt+[", "ctrl+a"]],
];

describe("InputParser", () => {
  it.each(table)("%s", (_, bytes, events) => {
    expect(read([bytes])).toEqual(events);
  });

  it.each(table)("%s, split at every byte", (_, bytes, events) => {
    const all = new TextEncoder().encode(bytes);
    for (let at = 1; at < all.length; at++)
      expect(read([all.slice(0, at), all.slice(at)]), `split at ${at}`).toEqual(whole(events));
    // Fed byte by byte, a cluster of several characters arrives as these.
    if (!bytes.includes("🏽")) expect(read(Array.from(all, (byte) => Uint8Array.of(byte)))).toEqual(events);
  });

  it.each([
    ["escape alone", E, ["escape"]],
    ["escape twice", E + E, ["escape", "escape"]],
    ["alt+[ and alt+O are keys when nothing follows", `${E}[`, ["alt+["]],
    ["alt+shift+o", `${E}O`, ["alt+shift+o"]],
    ["half of a long sequence is nothing typed", `${E}[200`, []],
  ])("%s", (_, bytes, events) => {
    expect(read([bytes])).toEqual(events);
  });

  it("waits 50 ms after ESC, and not at all otherwise", () => {
    const timer = new HandTimer();
    const parser = new InputParser({ onEvent: () => undefined, timer });
    parser.push("a");
    expect(timer.isSet).toBe(false);
    parser.push(E);
    expect(timer.ms).toBe(50);
    parser.push("[A");
    expect(timer.isSet).toBe(false);
  });

  it("collects a paste over many chunks and cuts what is too long", () => {
    const chunks = [`${E}[200~`, ..."abcdefghij".split(""), `${E}[20`, "1~", "k"];
    expect(read(chunks)).toEqual(["paste(abcdefghij)", "k"]);
    expect(read(chunks, 4)).toEqual(["paste(abcd) cut", "k"]);
  });

  it("keeps a joiner that is typed alone: it belongs to the letter before it", () => {
    expect(
      read(["می", "\u200c", "روم"])
        .map((each) => each.split("=").at(-1))
        .join(""),
    ).toBe("می\u200cروم");
    expect(read(["👩", "\u200d", "💻"])).toEqual(["👩", "\u200d", "💻"]);
    // Within text that does not show it, it is hidden and stays out.
    expect(read(["a\u200cb"])).toEqual(["a", "b"]);
  });

  it("takes a paste of 10 MB, and as long only as it takes to read it", () => {
    const line = `${"x".repeat(99)}\n`;
    const text = line.repeat(100_000);
    const bytes = Buffer.from(`${E}[200~${text}${E}[201~\r`);
    const chunks: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += 65_536) chunks.push(bytes.subarray(at, at + 65_536));
    const events: InputEvent[] = [];
    const parser = new InputParser({ onEvent: (event) => events.push(event), timer: new HandTimer() });
    for (const chunk of chunks) parser.push(chunk);
    const [paste, enter] = events;
    expect(paste?.type === "paste" && paste.text === text && !paste.cut).toBe(true);
    expect(enter).toMatchObject({ name: "enter" });
  });

  describe("a paste that pauses", () => {
    const fed = (...chunks: readonly (string | undefined)[]): string[] => {
      const timer = new HandTimer();
      const events: string[] = [];
      const parser = new InputParser({ onEvent: (event) => events.push(said(event)), timer });
      for (const chunk of chunks) {
        if (chunk !== undefined) parser.push(chunk);
        else if (timer.isSet) timer.expire();
      }
      return events;
    };
    it.each<[string, (string | undefined)[], string[]]>([
      ["goes on", [`${E}[200~one\r`, undefined, `two${E}[201~`], ["paste(one\ntwo)"]],
      ["twice", [`${E}[200~one\r`, undefined, "two\r", undefined, `three${E}[201~`], ["paste(one\ntwo\nthree)"]],
      ["before its last letter", [`${E}[200~one`, undefined, "\r", `${E}[201~`], ["paste(one\n)"]],
      ["within its end mark", [`${E}[200~one${E}[2`, undefined, "01~", "\r"], ["paste(one)", "enter"]],
      [
        "for good, until a key and another pause",
        [`${E}[200~half`, undefined, "x", undefined, "y"],
        ["paste(halfx)", "y"],
      ],
      ["for good, until Ctrl+C", [`${E}[200~half`, undefined, "\u0003"], ["paste(half)", "ctrl+c"]],
    ])("%s", (_, chunks, events) => {
      expect(fed(...chunks)).toEqual(events);
    });
    it.each([
      ["DA1", `${E}[?62;6;7`, ";14;52c"],
      ["OSC 11", `${E}]11;rgb:1414/19`, `19/1f1f${E}\\`],
      ["OSC before its end", `${E}]11;rgb:1414/1919/1f1f${E}`, "\\"],
      ["mouse", `${E}[<35;4`, "0;12M"],
      ["cursor key", `${E}[1;`, "5D"],
      ["the first bytes", `${E}[`, "1;5D"],
      ["XTVERSION", `${E}P>|xterm`, `(390)${E}\\`],
    ])("a sequence does, too: %s", (_, first, second) => {
      const timer = new HandTimer();
      const events: InputEvent[] = [];
      const parser = new InputParser({ onEvent: (event) => events.push(event), timer });
      parser.push(first);
      expect(timer.ms).toBeGreaterThanOrEqual(1000);
      parser.push(second);
      parser.push("a");
      expect(events.filter(({ type }) => type === "key" || type === "paste").map(said)).toEqual(
        first.endsWith("1;") || second.endsWith("D") ? ["ctrl+left", "a"] : ["a"],
      );
    });
    it("after Escape, its rest is not typed", () => {
      expect(fed(E, undefined, "[<35;40;12M", "a")).toEqual(["escape", "a"]);
      expect(fed(E, undefined, "[", "a")).toEqual(["escape", "[", "a"]);
      expect(fed(E, undefined, undefined, "[1]", "a")).toEqual(["escape", "[", "1", "]", "a"]);
    });
    it("a reply whose end was lost frees the keyboard at the next control character", () => {
      expect(fed(`${E}]11;rgb:14`, "abc\r", "d")).toEqual(["enter", "d"]);
    });
  });

  it("takes a line end in two bytes as one key", () => {
    expect(read([`a${E}\r\n`, `b${E}\n`, "c\r\n"])).toEqual(["a", "alt+enter", "b", "alt+enter", "c", "enter"]);
  });

  it.each(["\\\r\n", "\\\n"])("takes %j at once as Shift+Enter of other agents' setups", (bytes) => {
    expect(read([bytes])).toEqual(["shift+enter"]);
    expect(read([`a${bytes}`])).not.toContain("shift+enter");
  });

  it("takes text faster than typing as one paste, and Enter after it as a key", () => {
    const long = "lorem ipsum ".repeat(400);
    expect(read([`${long}\r`])).toEqual([`paste(${long})`, "enter"]);
  });

  it("loses no key when a handler throws", () => {
    const seen: string[] = [];
    const parser = new InputParser({
      onEvent: (event) => {
        seen.push(said(event));
        if (seen.length === 1) throw new Error("handler");
      },
      timer: new HandTimer(),
    });
    expect(() => parser.push("abc")).toThrow("handler");
    parser.push("d");
    expect(seen).toEqual(["a", "b", "c", "d"]);
  });
});

/** A skin tone that arrives with the next read is a character of its own. */
function whole(events: readonly string[]): unknown {
  if (!events.includes("👍🏽")) return events;
  return expect.toSatisfy((read: string[]) => read.join("") === events.join(""));
}

describe("key bindings", () => {
  const press = (bytes: string): KeyEvent => {
    const events: InputEvent[] = [];
    new InputParser({ onEvent: (event) => events.push(event), timer: new HandTimer() }).push(bytes);
    const [event] = events;
    if (event?.type !== "key") throw new Error("no key");
    return event;
  };

  it.each([
    ["\r", "submit"],
    [`${E}[13;2u`, "newline"],
    [`${E}[27;2;13~`, "newline"],
    [`${E}\r`, "newline"],
    ["\n", "newline"],
    [`${E}[1;5D`, "wordLeft"],
    [`${E}[122;6u`, "redo"],
    [`${E}[5~`, "pageUp"],
    [`${E}[1;2A`, "scrollUp"],
    ["\u000f", "fold"],
    ["\u0003", "interrupt"],
    ["x", undefined],
  ])("%j is %s", (bytes, id) => {
    const found = [inputKeys, transcriptKeys, windowKeys].map((table) => table.idOf(press(bytes)));
    expect(found.find((each) => each !== undefined)).toBe(id);
  });
});
