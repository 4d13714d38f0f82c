import { TextBuffer } from "../input/index.ts";
import { chipFor, expandChips } from "./paste-chips.ts";
import { type PromptSearch, searchOf } from "./prompt-search.ts";
import type { VimState } from "./vim-state.ts";

/** One completion of the word being typed. `insert` replaces the text from `from` to the cursor. */
export type CompletionItem = {
  readonly label: string;
  readonly detail: string;
  readonly insert: string;
  /** More has to be typed before it can be sent. */
  readonly needsMore?: boolean;
};
export type Completion = {
  readonly kind: "command" | "argument" | "file";
  /** Offsets in the text; what is between them is replaced. */
  readonly from: number;
  readonly to: number;
  readonly items: readonly CompletionItem[];
  /** `NOT_MARKED`: Enter sends what is typed. */
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
  /** Which of them is being looked at; `draft` waits meanwhile. */
  readonly browsing: { readonly at: number; readonly draft: TextBuffer } | undefined;
  readonly search: PromptSearch | undefined;
  /** The last text deleted by word or line, and the buffer after that. */
  readonly killed: { readonly text: string; readonly after: TextBuffer } | undefined;
  /** Absent until a key of vim mode was pressed. */
  readonly vim: VimState | undefined;
  /** Drafts that were put aside, the newest last. */
  readonly stashed: readonly string[];
  readonly completion: Completion | undefined;
  /** The buffer after a path was completed, with a blank at its end. */
  readonly completedPath: TextBuffer | undefined;
  /** Esc closed the completion of this text: it stays closed until the text changes. */
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

/** Sets another text; completions of the old one are dropped. */
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

/** Types a text; lines of a path that was completed (`#10-12`) follow it without the blank. */
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

/** Backspace right behind a chip takes the whole chip away. */
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

const atStart = { mode: "insert", pending: "", visual: undefined, inserting: undefined } as const;

/** An empty input; what outlives a message stays. */
export function emptied({ sent, killed, stashed, vim }: ComposerState): ComposerState {
  return { ...emptyComposer, sent, killed, stashed, vim: vim && { ...vim, ...atStart } };
}

export function remember(sent: readonly string[], text: string): readonly string[] {
  return [...sent.filter((each) => each !== text), text].slice(-MAX_SENT);
}

/** One message back (-1) or forward (1) in what was sent; the draft is the newest entry. */
export function browsed(composer: ComposerState, by: -1 | 1): ComposerState {
  const { browsing, sent, buffer } = composer;
  const at = (browsing?.at ?? sent.length) + by;
  if (at < 0 || at > sent.length || sent.length === 0) return composer;
  const draft = browsing?.draft ?? buffer;
  if (at === sent.length) return { ...composer, buffer: draft, browsing: undefined, completion: undefined };
  return withText({ ...composer, browsing: { at, draft } }, sent[at] ?? "");
}

/** Sets the whole text; a long one becomes a chip, as if it were pasted. */
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

/** Longer texts are shown as a chip, also where the person has written them in an editor. */
const MAX_IN_FULL = 20_000;

/** Sets a text that was edited elsewhere, as one step of undo. */
export function withEdited(composer: ComposerState, text: string): ComposerState {
  if (text.length > MAX_IN_FULL) return withText(composer, text);
  return withBuffer(composer, composer.buffer.set(text));
}

/** Inserts a text as lines before the text of the input. */
export function withTextBefore(composer: ComposerState, text: string): ComposerState {
  if (composer.buffer.isEmpty) return withText(composer, text);
  const chip = chipFor(text, composer.chips);
  const next = withBuffer(composer, composer.buffer.set(`${chip ?? text}\n${composer.buffer.text}`));
  return chip ? { ...next, chips: new Map(composer.chips).set(chip, text) } : next;
}

/** The longest text of the input that a search begins with. */
const MAX_QUERY = 80;

/** Begins a search through what was sent, with what is typed as its query. */
export function searchBegun(composer: ComposerState): ComposerState {
  const { sent, buffer } = composer;
  const pool = sent.toReversed().map((text) => ({ text }));
  const query = buffer.lineCount === 1 && buffer.text.length <= MAX_QUERY ? buffer.text : "";
  return { ...composer, search: searchOf(pool, query), completion: undefined };
}

/** Searches for another text. */
export function searched(composer: ComposerState, query: string): ComposerState {
  return composer.search ? { ...composer, search: searchOf(composer.search.pool, query) } : composer;
}

/** Marks an older (1) or newer (-1) one of those found. */
export function searchMoved(composer: ComposerState, by: number): ComposerState {
  const { search } = composer;
  if (!search) return composer;
  const selected = Math.max(0, Math.min(search.found.length - 1, search.selected + by));
  return { ...composer, search: { ...search, selected } };
}

/** Ends the search; `take` puts what is marked into the input. */
export function searchEnded(composer: ComposerState, { take }: { take: boolean }): ComposerState {
  const { search } = composer;
  if (!search) return composer;
  const found = search.found[search.selected];
  const ended = { ...composer, search: undefined };
  return take && found ? withText(ended, found.text) : ended;
}

/** Puts the marked completion in; a blank follows unless the item asks for more (a folder). */
export function complete(composer: ComposerState): ComposerState {
  const { completion, buffer } = composer;
  const item = completion?.items[Math.max(0, completion.selected)];
  if (!completion || !item) return composer;
  const next = buffer.replace(completion.from, completion.to, item.insert);
  // A folder opens: the list goes on with what is in it.
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

/** The word at the cursor that could be completed; undefined for none. */
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

/** Of prompts of MCP servers each argument, and those with blanks in quotes. */
const ARGUMENT = /^\/(\S+)\s+((?:\S+\s+)*)(\S*)$/;
const PROMPT_ARGUMENT = /^\/(mcp:\S+)\s+((?:(?:"[^"]*"|[^\s"])+\s+)*)((?:[^\s"]*=)?(?:"[^"]*|[^\s"]*))$/;

/** As the server finds them; the quotes may be open. */
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

/** The path of the mention that the cursor stands behind, so that more of it may come; undefined for none. */
export function mentionAtCursor({ buffer }: ComposerState): string | undefined {
  const [, quoted, lines = "", plain] = MENTION_AT_CURSOR.exec(buffer.before) ?? [];
  return quoted === undefined ? plain : quoted + lines;
}
