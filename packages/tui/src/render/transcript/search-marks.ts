import { occurrences } from "@harness/client/actions";
import { overlay, type Row, type Span, type Style, span, style, textOfRow } from "../../text/style.ts";

const FOUND = style({ fg: "accent", bold: true, underline: true });
const CURRENT = style({ inverse: true, bold: true });

/** Marks the places of a text in rows. A row is marked only once, so that it stays the same object. */
export class SearchMarks {
  readonly #wanted: string;
  readonly #current: Row | undefined;
  readonly #drawn = new WeakMap<Row, Row>();

  /** `wanted` is in lower case; `current`: the row of the current match. */
  constructor(wanted: string, current?: Row) {
    this.#wanted = wanted;
    this.#current = current;
  }

  drawn(rows: readonly Row[]): Row[] {
    return rows.map((each) => {
      const known = this.#drawn.get(each);
      if (known) return known;
      const made = this.#marked(each);
      this.#drawn.set(each, made);
      return made;
    });
  }

  #marked(plain: Row): Row {
    const places = occurrences(textOfRow(plain), this.#wanted);
    if (places.length === 0) return plain;
    return markedAt(plain, places, { length: this.#wanted.length, look: plain === this.#current ? CURRENT : FOUND });
  }
}

function markedAt(plain: Row, places: readonly number[], { length, look }: { length: number; look: Style }): Row {
  const spans: Span[] = [];
  let from = 0;
  for (const { text, style: base } of plain.spans) {
    let at = 0;
    for (const place of places) {
      const [begin, end] = [Math.max(at, place - from), Math.min(text.length, place + length - from)];
      if (end <= begin) continue;
      spans.push(span(text.slice(at, begin), base), span(text.slice(begin, end), overlay(base, look)));
      at = end;
    }
    spans.push(span(text.slice(at), base));
    from += text.length;
  }
  return { ...plain, spans: spans.filter(({ text }) => text !== "") };
}
