/**
 * Keys in, before anything is drawn.
 *
 *   const parser = new InputParser({ onEvent, timer });    // timer: { set(ms, fn): handle, clear(handle) }
 *   stdin.on("data", (bytes) => parser.push(bytes));       // raw bytes: sequences and UTF-8 may be split anywhere
 *   onEvent(event: InputEvent): one of
 *     { type: "key", name, text, ctrl, alt, shift, meta }  // name: "a", "enter", "up", "f5", "space" …; text: what it types, "" for none
 *     { type: "paste", text, cut }                          // newlines are \n, control characters gone; cut: it was over the cap
 *     { type: "wheel", direction: -1 | 1, x, y } | { type: "mouse", action: "press" | "drag" | "release", x, y }
 *     | { type: "focus", focused } | { type: "reply", kind }  // replies are for TerminalModes only
 *
 *   let buffer = TextBuffer.empty; buffer = buffer.insert("text")…        // immutable editor state of the composer
 *   buffer.layout(width): { rows: string[], cursor: { row, column } }     // wrapped, cached per line
 */
export type { InputEvent, KeyEvent, MouseEvent, PasteEvent } from "./input-event.ts";
export { InputParser } from "./input-parser.ts";
export { TextBuffer } from "./text-buffer.ts";
export { typedAhead } from "./typed-ahead.ts";
export { nextGrapheme, previousGrapheme } from "./word-motion.ts";
