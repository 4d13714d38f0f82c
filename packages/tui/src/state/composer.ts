import { TextBuffer } from "../input/index.ts";
import { chipFor, expandChips } from "./paste-chips.ts";

/** One completion of the word being typed. `insert` replaces the text from `from` to the cursor. */
export type CompletionItem = { readonly label: string; readonly detail: string; readonly insert: string };
export type Completion = {
  readonly kind: "command" | "argument" | "file";
  /** Offsets in the text; what is between them is replaced. */
  readonly from: number;
  readonly to: number;
  readonly items: readonly CompletionItem[];
  readonly selected: number;
};

/** Search through the messages sent. `match` is a place in `sent`; undefined: nothing found. */
type SentSearch = { readonly query: string; readonly match: number | undefined };

export type ComposerState = {
  readonly buffer: TextBuffer;
  /** Long pastes appear in the text as a chip; this maps chips to their text. */
  readonly chips: ReadonlyMap<string, string>;
  /** Messages sent or cleared in this window, oldest first. */
  readonly sent: readonly string[];
  /** Which of them is being looked at; `draft` waits meanwhile. */
  readonly browsing: { readonly at: number; readonly draft: TextBuffer } | undefined;
  readonly search: SentSearch | undefined;
  readonly completion: Completion | undefined;
  /** Esc closed the completion of this text: it stays closed until the text changes. */
  readonly dismissed: string | undefined;
};

export const emptyComposer: ComposerState = {
  buffer: TextBuffer.empty,
  chips: new Map(),
  sent: [],
  browsing: undefined,
  search: undefined,
  completion: undefined,
  dismissed: undefined,
};

const MAX_SENT = 500;

/** The message as it will be sent. */
export function messageOf({ buffer, chips }: ComposerState): string {
  return expandChips(buffer.text, chips);
}

/** Sets another text; completions of the old one are dropped. */
export function edited(composer: ComposerState, buffer: TextBuffer): ComposerState {
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

export function pasted(composer: ComposerState, text: string): ComposerState {
  const chip = chipFor(text, composer.chips);
  if (!chip) return edited(composer, composer.buffer.insert(text));
  return {
    ...edited(composer, composer.buffer.insert(chip)),
    chips: new Map(composer.chips).set(chip, text),
  };
}

/** Backspace right behind a chip takes the whole chip away. */
export function deletedBack(composer: ComposerState): ComposerState {
  const { buffer, chips } = composer;
  const chip = [...chips.keys()].find((each) => buffer.before.endsWith(each));
  if (!chip) return edited(composer, buffer.deleteBack());
  return edited(composer, buffer.replace(buffer.offset - chip.length, buffer.offset, ""));
}

/** Empties the input and remembers its text, so that Up brings it back. */
export function cleared(composer: ComposerState): ComposerState {
  const text = messageOf(composer);
  return { ...emptyComposer, sent: text.trim() === "" ? composer.sent : remember(composer.sent, text) };
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

/** Inserts a text as lines before the text of the input. */
export function withTextBefore(composer: ComposerState, text: string): ComposerState {
  if (composer.buffer.isEmpty) return withText(composer, text);
  const chip = chipFor(text, composer.chips);
  const next = edited(composer, composer.buffer.set(`${chip ?? text}\n${composer.buffer.text}`));
  return chip ? { ...next, chips: new Map(composer.chips).set(chip, text) } : next;
}

/** The newest message that holds the query, before the place `before`. */
export function searched(composer: ComposerState, query: string, before = composer.sent.length): ComposerState {
  const wanted = query.toLowerCase();
  const match = composer.sent.findLastIndex((text, at) => at < before && text.toLowerCase().includes(wanted));
  return { ...composer, search: { query, match: match < 0 || query === "" ? undefined : match } };
}

/** Ends the search; `take` puts what was found into the input. */
export function searchEnded(composer: ComposerState, { take }: { take: boolean }): ComposerState {
  const found = composer.search?.match;
  const ended = { ...composer, search: undefined };
  return take && found !== undefined ? withText(ended, composer.sent[found] ?? "") : ended;
}

/** Puts the marked completion in; a blank follows unless the item asks for more (a folder). */
export function completed(composer: ComposerState): ComposerState {
  const { completion, buffer } = composer;
  const item = completion?.items[completion.selected];
  if (!completion || !item) return composer;
  const next = buffer.replace(completion.from, completion.to, item.insert);
  return { ...composer, buffer: next, completion: undefined, dismissed: next.text };
}

export function completionMoved(composer: ComposerState, by: number): ComposerState {
  const { completion } = composer;
  if (!completion || completion.items.length === 0) return composer;
  const { length } = completion.items;
  return { ...composer, completion: { ...completion, selected: (completion.selected + by + length) % length } };
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
const PROMPT_ARGUMENT = /^\/(mcp:\S+)\s+((?:(?:"[^"]*"|[^\s"])+\s+)*)((?:[^\s"]*=)?(?:"[^"]*|[^\s"]*))$/;

export function completionQuery({ buffer, search, dismissed, browsing }: ComposerState): CompletionQuery | undefined {
  if (search || browsing || dismissed === buffer.text) return undefined;
  const { offset, before } = buffer;
  if (buffer.cursor.line === 0) {
    const command = /^\/(\S*)$/.exec(before);
    if (command) return { kind: "command", query: command[1] ?? "", from: 0, to: offset };
    const argument = /^\/(\S+)\s+()(\S*)$/.exec(before) ?? PROMPT_ARGUMENT.exec(before);
    if (argument) {
      const [, command = "", earlier = "", query = ""] = argument;
      return { kind: "argument", command, earlier, query, from: offset - query.length, to: offset };
    }
  }
  const file = /(?:^|\s)@(\S*)$/.exec(before);
  if (!file) return undefined;
  const query = file[1] ?? "";
  return { kind: "file", query, from: offset - query.length - 1, to: offset };
}
