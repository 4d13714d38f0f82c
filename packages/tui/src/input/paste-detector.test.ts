import { describe, expect, it } from "vitest";
import type { InputEvent } from "./input-event.ts";
import { InputParser } from "./input-parser.ts";

/** The events after each read; `wait` lets the timer expire. */
function heard(reads: readonly string[], maxPaste = 1000): string[] {
  const events: string[] = [];
  let expired: (() => void) | undefined;
  const timer = { set: (_ms: number, run: () => void) => (expired = run), clear: () => (expired = undefined) };
  const said = (event: InputEvent): string =>
    event.type === "paste" ? `paste(${event.text})` : event.type === "key" ? event.name : event.type;
  const parser = new InputParser({ onEvent: (event) => events.push(said(event)), timer, maxPaste });
  for (const read of reads) {
    if (read !== "wait") parser.push(read);
    else expired?.();
  }
  return events;
}

describe("text that comes in a burst", () => {
  it.each<[string, string[], string[]]>([
    ["a lone Enter is pressed", ["a", "\r"], ["a", "enter"]],
    ["Enter behind text waits a moment", ["ab\r"], ["a", "b"]],
    ["and is pressed when nothing follows", ["ab\r", "wait"], ["a", "b", "enter"]],
    ["or when a key follows that is not text", ["ab\r", "\u001b[A"], ["a", "b", "enter", "up"]],
    ["but is a new line when text follows", ["ab\r", "cd\r", "wait"], ["a", "b", "paste(\ncd\n)"]],
    ["lines in one read are one paste", ["a\rb\tc\rd", "\r\re", "wait"], ["paste(a\nb\tc\nd\n\ne)"]],
    ["which ends with the next key", ["a\rb\u0003"], ["paste(a\nb)", "c"]],
    ["Enter before text is one too", ["\rab", "wait"], ["paste(\nab)"]],
    ["two Enters are two Enters", ["\r\r"], ["enter", "enter"]],
    ["Tab alone is Tab", ["/mo\t"], ["/", "m", "o", "tab"]],
  ])("%s", (_, reads, expected) => {
    expect(heard(reads)).toEqual(expected);
  });

  it.each<[string, string[], string[]]>([
    ["Enter behind a paste is pressed at once", ["\u001b[200~a\rb\u001b[201~\r"], ["paste(a\nb)", "enter"]],
    ["also when text follows", ["\u001b[200~a\u001b[201~\rcd\r"], ["paste(a)", "enter", "c", "d", "enter"]],
    ["what waited before it is pressed", ["ab\r", "\u001b[200~c\u001b[201~"], ["a", "b", "enter", "paste(c)"]],
    ["and in all later reads", ["\u001b[200~a\u001b[201~", "b\rc\r"], ["paste(a)", "b", "enter", "c", "enter"]],
  ])("where the terminal marks pastes, %s", (_, reads, expected) => {
    expect(heard(reads)).toEqual(expected);
  });

  it("is cut where a paste is", () => {
    expect(heard(["abc\rdef\rghi", "wait"], 6)).toEqual(["paste(abc\nde)"]);
  });
});
