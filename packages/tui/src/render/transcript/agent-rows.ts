import type { AgentState, TranscriptItem } from "@harness/protocol";
import { spokenTime } from "../../figures/spoken-time.ts";
import { spokenTitle } from "../../figures/spoken-title.ts";
import { MarkdownDocument } from "../../text/markdown/document.ts";
import type { DrawingCode } from "../../text/markdown/drawing-code.ts";
import { arrayRows, mapRows, stackRows, type VirtualRows } from "../../text/rows.ts";
import { EMPTY_ROW, overlay, PLAIN, type Row, type Span, style } from "../../text/style.ts";
import { prefixRow } from "../../text/wrap.ts";
import { type BlockContext, mutedRow } from "../block-context.ts";
import { toolHead } from "./tool-rows.ts";

type AgentItem = Extract<TranscriptItem, { kind: "agent" }>;
/** Includes its calls that are already running. */
type Live = NonNullable<AgentState["live"]> & Pick<AgentState, "early">;

const INDENT: Span = { text: "  ", style: PLAIN };
const THINKING = style({ fg: "muted", italic: true });
const CUT = style({ fg: "warning" });
const GAP = arrayRows([EMPTY_ROW]);

/** Stacks parts with an empty row between two. */
function stack(parts: readonly VirtualRows[]): VirtualRows {
  const shown = parts.filter(({ height }) => height > 0);
  return stackRows(shown.flatMap((part, index) => (index > 0 ? [GAP, part] : [part])));
}

/** Maps rows so that the same row gives the same object, which the painter recognises as unchanged. */
function steady(change: (row: Row) => Row): (row: Row) => Row {
  const known = new WeakMap<Row, Row>();
  return (row) => {
    if (row === EMPTY_ROW) return row;
    const before = known.get(row);
    if (before) return before;
    const made = change(row);
    known.set(row, made);
    return made;
  };
}

/** Aligned with the user's text, whose bar takes two cells. */
const indent = steady((row) => prefixRow(row, [INDENT]));
const faint = steady((row) => {
  const spans = row.spans.map((span) => ({ text: span.text, style: overlay(span.style, THINKING) }));
  return prefixRow({ ...row, spans }, [INDENT]);
});

function documentRows(document: MarkdownDocument, width: number, change = indent): VirtualRows {
  document.layout(Math.max(1, width - INDENT.text.length));
  return mapRows(document, change);
}

type ThoughtOptions = {
  readonly width: number;
  readonly open: boolean;
  readonly ms?: number;
  readonly coming?: boolean;
};

/** The model's thoughts: one line, or all of them. `coming`: there may be more; `ms`: how long they took. */
function thinkingRows(
  document: MarkdownDocument,
  { width, open, ms = 0, coming = false }: ThoughtOptions,
): VirtualRows {
  if (document.raw.trim() === "") return arrayRows([]);
  const label = coming ? "thinking" : ms < 1000 ? "thought" : `thought for ${spokenTime(ms)}`;
  const head = arrayRows([mutedRow(`${open ? "▾" : "▸"} ${label}`)]);
  return open ? stackRows([head, documentRows(document, width, faint)]) : head;
}

function finishedDocument(text: string, code: DrawingCode): MarkdownDocument {
  const document = new MarkdownDocument(code);
  document.update(text);
  document.finish();
  return document;
}

/** True if nothing of a message is shown: calls alone are drawn as separate items. */
export function isSilent(item: TranscriptItem): boolean {
  if (item.kind !== "agent" || item.cut) return false;
  return item.parts.every((part) => part.type === "tool_call" || part.text.trim() === "");
}

/** True if a message has no words for the user, whatever it has thought. */
export function isCallsOnly({ parts, cut }: AgentItem): boolean {
  return !cut && parts.every((part) => part.type !== "text" || part.text.trim() === "");
}

/** A whole message. `streamed` is the document drawn while the message arrived; its rows are reused. */
export function agentRows(item: AgentItem, context: BlockContext, streamed: MarkdownDocument | undefined): VirtualRows {
  const { width, open, code } = context;
  const texts = item.parts.filter((part) => part.type === "text");
  const thought = item.parts.find((part) => part.type === "thinking");
  const parts = item.parts.map((part): VirtualRows => {
    if (part.type === "tool_call") return arrayRows([]);
    // The time covers all thoughts of the message; the first line shows it.
    const ms = part === thought ? (item.thoughtMs ?? 0) : 0;
    if (part.type === "thinking") return thinkingRows(finishedDocument(part.text, code), { width, open, ms });
    if (texts.length !== 1 || streamed?.raw !== part.text)
      return documentRows(finishedDocument(part.text, code), width);
    streamed.finish();
    return documentRows(streamed, width);
  });
  if (item.cut) parts.push(arrayRows([{ spans: [INDENT, { text: "— stopped here", style: CUT }] }]));
  return stack(parts);
}

/** The reply being streamed. */
export class LiveMessage {
  readonly messageId: string;
  readonly document: MarkdownDocument;
  readonly #thinking: MarkdownDocument;

  constructor(messageId: string, code: DrawingCode) {
    this.messageId = messageId;
    this.document = new MarkdownDocument(code);
    this.#thinking = new MarkdownDocument(code);
  }

  rows({ text, thinking, inputs, early }: Live, { width, open, code, keys }: Omit<BlockContext, "root">): VirtualRows {
    this.document.update(text);
    this.#thinking.update(thinking);
    const isThinking = text === "" && inputs.size === 0;
    return stack([
      thinkingRows(this.#thinking, { width, open, coming: isThinking }),
      documentRows(this.document, width),
      arrayRows(
        [...inputs].map(([id, input]) => {
          const item = early?.items.get(id);
          return item ? toolHead(item, { width, open: false, code, keys }) : inputRow(input);
        }),
      ),
    ]);
  }
}

function inputRow({ name, text }: { name: string; text: string }): Row {
  const count = text.length < 1000 ? String(text.length) : `${(text.length / 1000).toFixed(1)}k`;
  const what = text.length === 1 ? "character" : "characters";
  const { verb } = spokenTitle({ title: name, name, status: "pending" });
  return mutedRow(`○ ${verb}: writing its arguments, ${count} ${what}`);
}
