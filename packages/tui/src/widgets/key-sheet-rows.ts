import type { KeyLabels } from "../keymap/key-labels.ts";
import type { ActionName } from "../keymap/key-tables.ts";
import { EMPTY_ROW, padRow, type Row, row, span, style, truncateRow } from "../text/index.ts";

const HEADING = style({ bold: true });
const KEY = style({ fg: "accent" });
const MUTED = style({ fg: "muted" });

/** A character of the input, or the key of an action, and its purpose in two or three words. */
type Help = ({ readonly sign: string } | { readonly key: ActionName }) & {
  readonly words: string;
  readonly isTwice?: true;
};

const tasks: readonly { readonly title: string; readonly keys: readonly [Help, Help, Help, Help] }[] = [
  {
    title: "Write",
    keys: [
      { sign: "/", words: "commands" },
      { sign: "@", words: "files" },
      { sign: "!", words: "shell command" },
      { key: "input.newline", words: "new line" },
    ],
  },
  {
    title: "Steer",
    keys: [
      { key: "chat.permissionMode", words: "next mode" },
      { key: "anywhere.escape", words: "stop the turn" },
      { key: "anywhere.escape", words: "rewind", isTwice: true },
      { key: "chat.model", words: "model" },
    ],
  },
  {
    title: "Look",
    keys: [
      { key: "anywhere.fold", words: "open output" },
      { key: "chat.find", words: "search" },
      { key: "input.historySearch", words: "old messages" },
      { key: "anywhere.settings", words: "Settings" },
    ],
  },
];

/** From this width on the tasks are side by side. */
const WIDE = 76;
const KEY_COLUMNS = 11;
/** To most terminals these keys are Enter. */
const NEEDS_PROTOCOL = /^(?:shift|ctrl|alt)\+enter$/;
/** The rows above a narrow sheet that stay in view. */
const KEPT_ROWS = 6;

type KeySheet = {
  readonly keys: KeyLabels;
  readonly size: { readonly columns: number; readonly rows: number };
  readonly hasShiftEnter: boolean;
};

/** Twelve keys by task, in place of the status row. A key without a binding is left out. */
export function keySheetRows({ keys: labels, size, hasShiftEnter }: KeySheet): Row[] {
  const { columns, rows } = size;
  const works = hasShiftEnter ? undefined : (key: string) => !NEEDS_PROTOCOL.test(key);
  const end = row(span(" All keys: ", MUTED), span("/keys", KEY), span(" · any key closes this", MUTED));
  const blocks = tasks.map(({ title, keys }) => [
    row(span(title, HEADING)),
    ...keys.flatMap((help) => helpRow(help, (action) => labels.of(action, works))),
  ]);
  if (columns < WIDE) {
    const room = Math.max(1, rows - KEPT_ROWS);
    const list = blocks.flatMap((block) => block.slice(1)).slice(0, room);
    return [...list.map((each) => truncateRow(row(span(" "), ...each.spans), columns)), end];
  }
  const width = Math.floor((columns - 1) / blocks.length);
  const height = Math.max(...blocks.map(({ length }) => length));
  const beside = Array.from({ length: height }, (_, at) =>
    row(span(" "), ...blocks.flatMap((block) => padRow(truncateRow(block[at] ?? EMPTY_ROW, width - 1), width).spans)),
  );
  return [...beside, end];
}

function helpRow(help: Help, keyOf: (action: ActionName) => string | undefined): Row[] {
  const { words, isTwice } = help;
  const name = "sign" in help ? help.sign : keyOf(help.key);
  if (name === undefined) return [];
  const left = padRow(row(span(isTwice ? `${name} ${name}` : name, KEY)), KEY_COLUMNS);
  return [row(...left.spans, span(` ${words}`))];
}
