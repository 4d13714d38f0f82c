import { type KeyEvent, nextGrapheme, previousGrapheme, type TextBuffer } from "../input/index.ts";
import { onLatinKey } from "../keymap/keyboard-layouts.ts";
import { browsed, type ComposerState, withBuffer } from "../state/composer.ts";
import { wholeChips } from "../state/paste-chips.ts";
import { type VimState, vimStart } from "../state/vim-state.ts";
import { isChange, readVimCommand, splitCount, type VimCommand } from "./vim-command.ts";
import { firstOfLine, lineEnd, lineStart, motionOf, objectAt } from "./vim-motions.ts";
import { repeatKeys, selectedRange, type VimRange, visualOf } from "./vim-selection.ts";

/** The composer after a key of vim's normal mode; undefined: the key is not one of them and keeps its usual meaning. */
export function vimKey(composer: ComposerState, event: KeyEvent): ComposerState | undefined {
  const vim = composer.vim ?? vimStart;
  if (vim.mode === "insert" || event.alt || event.meta) return undefined;
  if (event.ctrl)
    return onLatinKey(event.name) === "r" ? settle(withBuffer(composer, composer.buffer.redo())) : undefined;
  const typed = event.name === "backspace" ? "h" : event.text;
  if (typed === "") return undefined;
  // A character to search for or to write is itself on every keyboard.
  const pending = vim.pending + (/[fFtTr]$/.test(vim.pending) ? typed : onLatinKey(typed));
  if (visualOf(composer)) return visualKey(withVim(composer, { pending: "" }), pending);
  const command = readVimCommand(pending);
  if (command === "more") return withVim(composer, { pending });
  const ready = withVim(composer, { pending: "" });
  if (!command) return ready;
  const done = run(ready, command);
  return done === ready || !isChange(command) ? done : remembered(done, pending, composer.buffer);
}

/**
 * A key of visual mode: motions and text objects select, operators end it. `typed`: includes the preceding keys that
 * belong to it.
 */
function visualKey(composer: ComposerState, typed: string): ComposerState {
  const { buffer, vim } = composer;
  const visual = visualOf(composer);
  const [, keys] = splitCount(typed);
  if (!visual || !vim) return composer;
  switch (keys) {
    case "v":
    case "V": {
      const isLines = keys === "V";
      return withVim(composer, { visual: isLines === visual.isLines ? undefined : { ...visual, isLines } });
    }
    case "o":
      return withVim(withCursor(composer, visual.anchor), { visual: { ...visual, anchor: buffer.offset } });
    case "d":
    case "x":
      return operateOnSelected(composer, "d");
    case "c":
    case "s":
      return operateOnSelected(composer, "c");
    case "y":
      return operateOnSelected(composer, "y");
    case "i":
    case "a":
      return withVim(composer, { pending: typed });
  }
  if (/^[ia]/.test(keys)) return objectSelected(composer, keys);
  const command = readVimCommand(typed);
  if (command === "more") return withVim(composer, { pending: typed });
  return command?.kind === "move" ? move(composer, command.keys, command.count) : composer;
}

function objectSelected(composer: ComposerState, keys: string): ComposerState {
  const { text, offset } = composer.buffer;
  const object = objectAt(keys, text, offset);
  if (!object || object.to <= object.from) return composer;
  const visual = { anchor: object.from, isLines: false, text };
  return withVim(withCursor(composer, previousGrapheme(text, object.to)), { visual });
}

function operateOnSelected(composer: ComposerState, operator: "d" | "c" | "y"): ComposerState {
  const range = selectedRange(composer);
  const normal = withVim(composer, { visual: undefined });
  if (!range) return normal;
  if (operator === "y") return settle(withCursor(copied(normal, range), range.from));
  const keys = repeatKeys(operator, range, composer.buffer.text);
  const done = deleted(normal, range, operator === "c");
  return keys === undefined ? withVim(done, { repeat: undefined }) : remembered(done, keys, composer.buffer);
}

/**
 * Recorded after a change, so that `.` repeats it with the text typed until insert mode ends, and `u` takes all of it
 * back. `before`: the input before the keys.
 */
function remembered(composer: ComposerState, keys: string, before: TextBuffer): ComposerState {
  const { text, offset: at } = composer.buffer;
  if (composer.vim?.mode === "insert") return withVim(composer, { inserting: { keys, text, at, before } });
  return withVim(composer, { repeat: { keys, typed: "" } });
}

/** `.`: repeats the last change; a count replaces the original one. */
function repeated(composer: ComposerState, count: number | undefined): ComposerState {
  const { repeat } = composer.vim ?? vimStart;
  if (!repeat) return composer;
  const command = readVimCommand(count === undefined ? repeat.keys : `${count}${splitCount(repeat.keys)[1]}`);
  if (!command || command === "more") return composer;
  const done = run(composer, command);
  if (done.vim?.mode !== "insert") return done;
  const typed = vimEscape(withBuffer(done, done.buffer.insert(repeat.typed))) ?? done;
  return withBuffer(typed, typed.buffer.asOneStepSince(composer.buffer));
}

/**
 * Escape: leaves insert mode, or drops an incomplete command. Undefined in normal mode, where it keeps its usual
 * meaning.
 */
export function vimEscape(composer: ComposerState): ComposerState | undefined {
  const vim = composer.vim ?? vimStart;
  if (vim.mode === "normal") {
    const isOpen = vim.pending !== "" || visualOf(composer) !== undefined;
    return isOpen ? withVim(composer, { pending: "", visual: undefined }) : undefined;
  }
  const { text, offset } = composer.buffer;
  const typed = typedSince(vim.inserting, text);
  const repeat = vim.inserting && typed !== undefined ? { keys: vim.inserting.keys, typed } : vim.repeat;
  const at = offset > lineStart(text, offset) ? previousGrapheme(text, offset) : offset;
  const before = vim.inserting?.before;
  const left = before ? withBuffer(composer, composer.buffer.asOneStepSince(before)) : composer;
  return withVim(withCursor(left, at), { mode: "normal", inserting: undefined, repeat });
}

/** The text inserted at one place; undefined if anything else has changed. */
function typedSince(inserting: VimState["inserting"], now: string): string | undefined {
  if (!inserting) return undefined;
  const [before, after] = [inserting.text.slice(0, inserting.at), inserting.text.slice(inserting.at)];
  const isInserted = now.length >= inserting.text.length && now.startsWith(before) && now.endsWith(after);
  return isInserted ? now.slice(before.length, now.length - after.length) : undefined;
}

function run(composer: ComposerState, command: VimCommand): ComposerState {
  if (command.kind === "move") return move(composer, command.keys, command.count);
  if (command.kind === "operate") return operate(composer, command);
  if (command.keys === ".") return repeated(composer, command.count);
  return edit(composer, command.keys, command.count ?? 1);
}

function move(composer: ComposerState, keys: string, count: number | undefined): ComposerState {
  const { text, offset: at } = composer.buffer;
  const last = composer.vim?.found ?? "";
  const motion = motionOf(keys, { text, at, count, last });
  const found = /^[fFtT]/.test(keys) ? withVim(composer, { found: keys }) : composer;
  if (motion) return settle(withCursor(found, motion.to));
  if (visualOf(composer)) return found;
  // Above the first line are earlier messages.
  if (keys === "k") return settle(browsed(composer, -1));
  return keys === "j" ? settle(browsed(composer, 1)) : found;
}

function operate(composer: ComposerState, command: Extract<VimCommand, { kind: "operate" }>): ComposerState {
  const range = rangeOf(composer, command);
  if (!range) return composer;
  const { operator, over, keys } = command;
  const found = over === "motion" && /^[fFtT]/.test(keys) ? withVim(composer, { found: keys }) : composer;
  return operator === "y"
    ? settle(withCursor(copied(found, range), range.from))
    : deleted(found, range, operator === "c");
}

/** The text that an operator works on. */
function rangeOf(
  { buffer, chips, vim }: ComposerState,
  { operator, over, keys, count }: Extract<VimCommand, { kind: "operate" }>,
): VimRange | undefined {
  const { text, offset: at } = buffer;
  if (over === "object") {
    const object = objectAt(keys, text, at);
    return object && { ...wholeChips(text, chips, object), isLines: false };
  }
  if (over === "lines") {
    let to = lineEnd(text, at);
    for (let more = 1; more < (count ?? 1) && to < text.length; more++) to = lineEnd(text, to + 1);
    return { from: lineStart(text, at), to, isLines: true };
  }
  // `cw` leaves the blank after the word, as in vim.
  const isOnWord = /\S/.test(text[at] ?? " ");
  const kept = operator === "c" && isOnWord && /^[wW]$/.test(keys) ? (keys === "w" ? "e" : "E") : keys;
  const motion = motionOf(kept, { text, at, count, last: vim?.found ?? "" });
  if (!motion) return undefined;
  const [from, end] = [Math.min(at, motion.to), Math.max(at, motion.to)];
  if (motion.isLines) return { from: lineStart(text, from), to: lineEnd(text, end), isLines: true };
  const isAtWord = /^[wW]$/.test(kept) && end > lineEnd(text, at);
  const to = isAtWord ? lineEnd(text, at) : motion.isInclusive && end < text.length ? nextGrapheme(text, end) : end;
  return { ...wholeChips(text, chips, { from, to }), isLines: false };
}

function copied(composer: ComposerState, { from, to, isLines }: VimRange): ComposerState {
  return withVim(composer, { register: { text: composer.buffer.text.slice(from, to), isLines } });
}

function deleted(composer: ComposerState, range: VimRange, isChange: boolean): ComposerState {
  const { from, to, isLines } = range;
  const next = copied(composer, range);
  const { text } = composer.buffer;
  if (isChange) return withVim(withBuffer(next, composer.buffer.replace(from, to, "")), { mode: "insert" });
  if (!isLines) return settle(withBuffer(next, composer.buffer.replace(from, to, "")));
  // With its newline, or on the last line with the preceding one.
  const isLast = to === text.length;
  const gone = withBuffer(
    next,
    composer.buffer.replace(isLast ? Math.max(0, from - 1) : from, isLast ? to : to + 1, ""),
  );
  return withCursor(gone, firstOfLine(gone.buffer.text, gone.buffer.offset));
}

function edit(composer: ComposerState, keys: string, count: number): ComposerState {
  const { buffer } = composer;
  const { text, offset: at } = buffer;
  const insertAt = (place: number): ComposerState => withVim(withCursor(composer, place), { mode: "insert" });
  switch (keys) {
    case "i":
      return insertAt(at);
    case "a":
      return insertAt(at < lineEnd(text, at) ? nextGrapheme(text, at) : at);
    case "I":
      return insertAt(firstOfLine(text, at));
    case "A":
      return insertAt(lineEnd(text, at));
    case "o":
      return withVim(withBuffer(composer, buffer.cursorTo(lineEnd(text, at)).insert("\n")), { mode: "insert" });
    case "O": {
      const start = lineStart(text, at);
      return withVim(withCursor(withBuffer(composer, buffer.replace(start, start, "\n")), start), { mode: "insert" });
    }
    case "p":
    case "P":
      return putRegister(composer, keys === "p", count);
    case "v":
    case "V":
      return withVim(composer, { visual: { anchor: at, isLines: keys === "V", text } });
    case "u":
      return settle(withBuffer(composer, buffer.undo()));
    case "J":
      return joinLines(composer);
    default:
      return replaced(composer, keys, count);
  }
}

function putRegister(composer: ComposerState, isAfter: boolean, count: number): ComposerState {
  const { text: kept, isLines } = composer.vim?.register ?? vimStart.register;
  if (kept === "" && !isLines) return composer;
  const { buffer } = composer;
  const { text, offset: at } = buffer;
  if (isLines) {
    const lines = Array.from({ length: count }, () => kept).join("\n");
    const place = isAfter ? lineEnd(text, at) : lineStart(text, at);
    const next = withBuffer(composer, buffer.replace(place, place, isAfter ? `\n${lines}` : `${lines}\n`));
    return withCursor(next, firstOfLine(next.buffer.text, isAfter ? place + 1 : place));
  }
  const place = isAfter && at < lineEnd(text, at) ? nextGrapheme(text, at) : at;
  const next = withBuffer(composer, buffer.replace(place, place, kept.repeat(count)));
  return withCursor(next, previousGrapheme(next.buffer.text, next.buffer.offset));
}

/** Joins the next line to this one, with a single blank. */
function joinLines(composer: ComposerState): ComposerState {
  const { text, offset } = composer.buffer;
  const end = lineEnd(text, offset);
  if (end === text.length) return composer;
  const from = firstOfLine(text, end + 1);
  return withCursor(withBuffer(composer, composer.buffer.replace(end, from, " ")), end);
}

/** `rx` and `~` over several characters of the line. */
function replaced(composer: ComposerState, keys: string, count: number): ComposerState {
  const { text, offset: at } = composer.buffer;
  let to = at;
  let fresh = "";
  for (let times = 0; times < count && to < lineEnd(text, at); times++) {
    const next = nextGrapheme(text, to);
    const own = text.slice(to, next);
    fresh += keys === "~" ? (own === own.toLowerCase() ? own.toUpperCase() : own.toLowerCase()) : keys.slice(1);
    to = next;
  }
  if (to === at) return composer;
  const next = withBuffer(composer, composer.buffer.replace(at, to, fresh));
  return settle(keys === "~" ? next : withCursor(next, previousGrapheme(next.buffer.text, next.buffer.offset)));
}

function withCursor(composer: ComposerState, offset: number): ComposerState {
  return withBuffer(composer, composer.buffer.cursorTo(offset));
}

/** In normal mode the cursor is on a character, not after the last one of a line. */
function settle(composer: ComposerState): ComposerState {
  const { text, offset } = composer.buffer;
  const isBehind = offset === lineEnd(text, offset) && offset > lineStart(text, offset);
  return isBehind ? withCursor(composer, previousGrapheme(text, offset)) : composer;
}

function withVim(composer: ComposerState, changes: Partial<VimState>): ComposerState {
  return { ...composer, vim: { ...(composer.vim ?? vimStart), ...changes } };
}
