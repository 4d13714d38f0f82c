import { keyLabel } from "../keymap/key-name.ts";
import type { PendingChord } from "../keymap/pending-chord.ts";
import { type Row, row, type Span, span, spansWidth, style, truncateRow } from "../text/index.ts";

const KEY = style({ fg: "accent" });
const MUTED = style({ fg: "muted" });

/**
 * How a chord can continue: ` Ctrl+X … A agents · H Home · Esc cancels`; shorter if there is not enough room for all
 * words.
 */
export function chordRow({ first, next }: PendingChord, columns: number): Row {
  const keys = [...next, { key: "esc", hint: "cancels" }];
  const start = span(` ${keyLabel(first)} …  `);
  const joined = (between: string, words: (hint: string) => string): Span[] => [
    start,
    ...keys.flatMap(({ key, hint }, at) => [
      span(at === 0 ? "" : between, MUTED),
      span(keyLabel(key), KEY),
      span(words(hint), MUTED),
    ]),
  ];
  const forms = [
    joined(" · ", (hint) => ` ${hint}`),
    joined("  ", (hint) => ` ${hint.split(" ")[0] ?? ""}`),
    joined("  ", () => ""),
  ];
  const fitting = forms.find((spans) => spansWidth(spans) <= columns) ?? forms.at(-1) ?? [];
  return truncateRow(row(...fitting), columns);
}
