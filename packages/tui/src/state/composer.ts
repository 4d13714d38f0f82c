import { TextBuffer } from "../input/index.ts";
import { chipFor, expandChips } from "./paste-chips.ts";
import { type PromptSearch, searchOf } from "./prompt-search.ts";
import type { VimState } from "./vim-state.ts";

/** One completion of the word being typed. `insert` replaces the text from `from` to the cursor. */
export type CompletionItem = {
  readonly label: string;
  /** Arguments that may follow it. */
  readonly follows?: string;
  readonly detail: string;
  readonly insert: string;
  /** More has to be typed before it can be sent. */
  readonly needsMore?: boolean;
};
export type Completion = {
  readonly kind: "command" | "argument" | "file";
  /** Offsets in the text; the range between them is replaced. */
  readonly from: number;
  readonly to: number;
  readonly items: readonly CompletionItem[];
  /** With `NOT_MARKED`, Enter sends the typed text. */
  readonly selected: number;
  /** The arguments of the command that is being typed. */
  readonly hint?: string | undefined;
};

export const NOT_MARKED = -1;

export type ComposerState = {
  readonly buffer: TextBuffer;
  /** Long pastes appear in the text as a chip; this maps chips to their text. */
  readonly chips: ReadonlyMap<string, string>;
  /** Messages sent in this folder, and messages sent or cleared in this window, oldest first. */
  readonly sent: readonly string[];
  /** The position in `sent` while browsing it; `draft` waits meanwhile. */
  readonly browsing: { readonly at: number; readonly draft: TextBuffer } | undefined;
  readonly search: PromptSearch | undefined;
  /** The last text deleted by word or line, and the buffer after that. */
  readonly killed: { readonly text: string; readonly after: TextBuffer } | undefined;
  /** Undefined until a vim key was pressed. */
  readonly vim: VimState | undefined;
  /** Drafts that were put aside, newest last. */
  readonly stashed: readonly string[];
  readonly completion: Completion | undefined;
  /** The buffer after a path was completed, with a blank at its end. */
  readonly completedPath: TextBuffer | undefined;
  /** Esc closed the completion of this text; it stays closed until the text changes. */
  readonly dismissed: string | undefined;
};

export const emptyComposer: ComposerState = {
  buffer: TextBuffer.empty,
  chips: new Map(),
  sent: [],
  browsing: undefined,
  search: undefined,
  killed: undefined,
  vim: undefined,
  stashed: [],
  completion: undefined,
  completedPath: undefined,
  dismissed: undefined,
};

const MAX_SENT = 500;

/** The message as it will be sent. */
export function messageOf({ buffer, chips }: ComposerState): string {
  return expandChips(buffer.text, chips);
}

/** Replaces the text; completions of the old one are dropped. */
export function withBuffer(composer: ComposerState, buffer: TextBuffer): ComposerState {
  if (buffer === composer.buffer) return composer;
  const changed = buffer.text !== composer.buffer.text;
  return {
    ...composer,
    buffer,
    completion: undefined,
    dismissed: changed ? undefined : composer.dismissed,
    browsing: changed ? undefined : composer.browsing,
  };
}

/** Types a text; a line range after a completed path (`#10-12`) replaces the blank after it. */
export function typeText(composer: ComposerState, text: string): ComposerState {
  const { buffer, completedPath } = composer;
  const isOfPath = text.startsWith("#") && completedPath === buffer;
  return withBuffer(composer, (isOfPath ? buffer.deleteBack() : buffer).insert(text));
}

export function pasteText(composer: ComposerState, text: string): ComposerState {
  const chip = chipFor(text, composer.chips);
  if (!chip) return withBuffer(composer, composer.buffer.insert(text));
  return {
    ...withBuffer(composer, composer.buffer.insert(chip)),
    chips: new Map(composer.chips).set(chip, text),
  };
}

/** Backspace right after a chip deletes the whole chip. */
export function deletedBack(composer: ComposerState): ComposerState {
  const { buffer, chips } = composer;
  const chip = [...chips.keys()].find((each) => buffer.before.endsWith(each));
  if (!chip) return withBuffer(composer, buffer.deleteBack());
  return withBuffer(composer, buffer.replace(buffer.offset - chip.length, buffer.offset, ""));
}

/** Empties the input and remembers its text, so that Up brings it back. */
export function cleared(composer: ComposerState): ComposerState {
  const text = messageOf(composer);
  const empty = emptied(composer);
  return text.trim() === "" ? empty : { ...empty, sent: remember(composer.sent, text) };
}

/** Empties the input by a key: one step of undo, and Up brings the text back, too. Vim's mode stays. */
export function wiped(composer: ComposerState): ComposerState {
  const { buffer, chips, vim } = composer;
  const empty = cleared(composer);
  const mode = vim && { ...vim, pending: "", visual: undefined, inserting: undefined };
  return { ...empty, buffer: buffer.set(""), chips, vim: mode };
}

const atStart = { mode: "insert", pending: "", visual: undefined, inserting: undefined } as const;

/** An empty input that keeps the state that outlives a message. */
export function emptied({ sent, killed, stashed, vim }: ComposerState): ComposerState {
  return { ...emptyComposer, sent, killed, stashed, vim: vim && { ...vim, ...atStart } };
}

export function remember(sent: readonly string[], text: string): readonly string[] {
  return [...sent.filter((each) => each !== text), text].slice(-MAX_SENT);
}

/** One message back (-1) or forward (1) through the sent ones; the draft is the newest entry. */
export function browsed(composer: ComposerState, by: -1 | 1): ComposerState {
  const { browsing, sent, buffer } = composer;
  const at = (browsing?.at ?? sent.length) + by;
  if (at < 0 || at > sent.length || sent.length === 0) return composer;
  const draft = browsing?.draft ?? buffer;
  if (at === sent.length) return { ...composer, buffer: draft, browsing: undefined, completion: undefined };
  return withText({ ...composer, browsing: { at, draft } }, sent[at] ?? "");
}

/** Replaces the whole text; a long one becomes a chip, as if it were pasted. */
export function withText(composer: ComposerState, text: string): ComposerState {
  const chip = chipFor(text, composer.chips);
  return {
    ...composer,
    buffer: TextBuffer.of(chip ?? text),
    chips: chip ? new Map(composer.chips).set(chip, text) : composer.chips,
    completion: undefined,
    dismissed: chip ?? text,
  };
}

/** Longer texts are shown as a chip, even if the user wrote them in an editor. */
const MAX_IN_FULL = 20_000;

/** Replaces the text with one that was edited elsewhere, as one undo step. */
export function withEdited(composer: ComposerState, text: string): ComposerState {
  if (text.length > MAX_IN_FULL) return withText(composer, text);
  return withBuffer(composer, composer.buffer.set(text));
}

/** Inserts lines before the text of the input. */
export function withTextBefore(composer: ComposerState, text: string): ComposerState {
  if (composer.buffer.isEmpty) return withText(composer, text);
  const chip = chipFor(text, composer.chips);
  const next = withBuffer(composer, composer.buffer.set(`${chip ?? text}\n${composer.buffer.text}`));
  return chip ? { ...next, chips: new Map(composer.chips).set(chip, text) } : next;
}

/** The longest input text that a search begins with. */
const MAX_QUERY = 80;

/** Begins a search through the sent messages, with the typed text as its query. */
export function searchBegun(composer: ComposerState): ComposerState {
  const { sent, buffer } = composer;
  const pool = sent.toReversed().map((text) => ({ text }));
  const query = buffer.lineCount === 1 && buffer.text.length <= MAX_QUERY ? buffer.text : "";
  return { ...composer, search: searchOf(pool, query), completion: undefined };
}

export function searched(composer: ComposerState, query: string): ComposerState {
  return composer.search ? { ...composer, search: searchOf(composer.search.pool, query) } : composer;
}

/** Marks an older (1) or newer (-1) match. */
export function searchMoved(composer: ComposerState, by: number): ComposerState {
  const { search } = composer;
  if (!search) return composer;
  const selected = Math.max(0, Math.min(search.found.length - 1, search.selected + by));
  return { ...composer, search: { ...search, selected } };
}

/** Ends the search; `take` puts the marked message into the input. */
export function searchEnded(composer: ComposerState, { take }: { take: boolean }): ComposerState {
  const { search } = composer;
  if (!search) return composer;
  const found = search.found[search.selected];
  const ended = { ...composer, search: undefined };
  return take && found ? withText(ended, found.text) : ended;
}

/** Inserts the marked completion; a blank follows unless the item expects more (a folder). */
export function complete(composer: ComposerState): ComposerState {
  const { completion, buffer } = composer;
  const item = completion?.items[Math.max(0, completion.selected)];
  if (!completion || !item) return composer;
  const next = buffer.replace(completion.from, completion.to, item.insert);
  // For a folder the list continues with its contents.
  const dismissed = item.insert.endsWith("/") ? undefined : next.text;
  const completedPath = /^@.* $/.test(item.insert) ? next : undefined;
  return { ...composer, buffer: next, completion: undefined, completedPath, dismissed };
}

export function completionMoved(composer: ComposerState, by: number): ComposerState {
  const { completion } = composer;
  if (!completion || completion.items.length === 0) return composer;
  const { length } = completion.items;
  const from = completion.selected === NOT_MARKED && by < 0 ? 0 : completion.selected;
  return { ...composer, completion: { ...completion, selected: (from + by + length) % length } };
}

/** The word at the cursor that could be completed; undefined if there is none. */
export type CompletionQuery =
  | { readonly kind: "command"; readonly query: string; readonly from: number; readonly to: number }
  | {
      readonly kind: "argument";
      readonly command: string;
      /** The arguments before it. */
      readonly earlier: string;
      readonly query: string;
      readonly from: number;
      readonly to: number;
    }
  | { readonly kind: "file"; readonly query: string; readonly from: number; readonly to: number };

/** Prompts of MCP servers complete each argument, including quoted ones with blanks. */
const ARGUMENT = /^\/(\S+)\s+((?:\S+\s+)*)(\S*)$/;
const PROMPT_ARGUMENT = /^\/(mcp:\S+)\s+((?:(?:"[^"]*"|[^\s"])+\s+)*)((?:[^\s"]*=)?(?:"[^"]*|[^\s"]*))$/;

/** Mentions as the server parses them, except that the closing quote may be missing. */
const MENTION_AT_CURSOR = /(?<![\p{L}\p{N}_@])@(?:"([^"\n]+)"?(#[\dL-]*)?|([^\s"'`<>@][^\s"'`<>]*))$/u;

export function completionQuery({ buffer, search, dismissed, browsing }: ComposerState): CompletionQuery | undefined {
  if (search || browsing || dismissed === buffer.text) return undefined;
  const { offset, before } = buffer;
  if (buffer.cursor.line === 0) {
    const command = /^\/(\S*)$/.exec(before);
    if (command) return { kind: "command", query: command[1] ?? "", from: 0, to: offset };
    const argument = PROMPT_ARGUMENT.exec(before) ?? ARGUMENT.exec(before);
    if (argument) {
      const [, command = "", earlier = "", query = ""] = argument;
      return { kind: "argument", command, earlier, query, from: offset - query.length, to: offset };
    }
  }
  const file = /(?:^|\s)(@(?:"([^"\n]*)|([^\s"]*)))$/.exec(before);
  if (!file) return undefined;
  const [, whole = "", quoted, plain = ""] = file;
  return { kind: "file", query: quoted ?? plain, from: offset - whole.length, to: offset };
}

/** The path of the mention right before the cursor, which may still grow; undefined if there is none. */
export function mentionAtCursor({ buffer }: ComposerState): string | undefined {
  const [, quoted, lines = "", plain] = MENTION_AT_CURSOR.exec(buffer.before) ?? [];
  return quoted === undefined ? plain : quoted + lines;
}
