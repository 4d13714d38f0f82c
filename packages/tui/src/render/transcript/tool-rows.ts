import type { Block, EditReview, ImagePart, ToolItem } from "@harness/protocol";
import { spokenTime } from "../../figures/spoken-time.ts";
import { spokenTitle } from "../../figures/spoken-title.ts";
import { AnsiText } from "../../text/ansi-text.ts";
import { truncateRow } from "../../text/fit.ts";
import { sanitiseLine } from "../../text/sanitise.ts";
import { overlay, PLAIN, type Row, type Span, style } from "../../text/style.ts";
import { stringWidth } from "../../text/width.ts";
import { prefixRows, spansWidth } from "../../text/wrap.ts";
import type { Role } from "../../theme/theme.ts";
import { type BlockContext, opensText } from "../block-context.ts";
import { blockRows } from "../blocks/index.ts";
import { relativePath } from "../blocks/relative-path.ts";
import { shellSpans } from "../blocks/shell-spans.ts";
import { endRows, runningRows } from "../blocks/terminal-rows.ts";
import type { PictureSpace } from "./message-rows.ts";

const INDENT: Span = { text: "  ", style: PLAIN };
const BOLD = style({ bold: true });
const MUTED = style({ fg: "muted" });
const ADDED = style({ fg: "added" });
/** The length of a command's beginning that is enough to locate it in a title, and the columns a title keeps. */
const SURE_LENGTH = 40;
const MIN_TITLE = 12;
/** The tool whose title is the question it asks. */
const QUESTION = "question";
/** Tools whose time is the person's. */
const ASKING: readonly string[] = [QUESTION, "switch_mode"];
/** A shorter time is noise. */
const LONG_MS = 1000;
const REMOVED = style({ fg: "removed" });

type Outcome = NonNullable<ToolItem["outcome"]>;
/** `label`: why it did not run; its time is omitted in that case. */
type ToolRowStyle = { glyph: string; role: Role; label?: string };

const outcomes: Record<Outcome["status"], ToolRowStyle> = {
  ok: { glyph: "●", role: "success" },
  error: { glyph: "✗", role: "error" },
  invalid: { glyph: "✗", role: "error", label: "invalid arguments" },
  unknown_tool: { glyph: "✗", role: "error", label: "no such tool" },
  denied: { glyph: "⊘", role: "warning", label: "denied" },
  cancelled: { glyph: "⊘", role: "muted", label: "cancelled" },
  interrupted: { glyph: "⊘", role: "warning", label: "interrupted: it may have taken effect" },
};

/** Edits that were staged look as their review left them. */
function reviewLook(review: EditReview): ToolRowStyle {
  if (review.state === "waiting") return { glyph: "◌", role: "info", label: "waits for your review" };
  if (review.state === "dropped") return { glyph: "⊘", role: "warning", label: "not written" };
  const { taken, of, reasons } = review;
  if (taken === of) return outcomes.ok;
  const why = reasons.map((reason) => ` “${sanitiseLine(reason)}”`).join("");
  if (taken === 0) return { glyph: "✗", role: "error", label: `rejected${why}` };
  return { glyph: "◐", role: "warning", label: `${taken} of the file's ${of} changes taken${why}` };
}

function lookOf({ status, outcome, review }: ToolItem): ToolRowStyle {
  if (review && outcome?.status === "ok") return reviewLook(review);
  if (outcome) return { ...outcomes[outcome.status], ...reasonOf(outcome) };
  // Animation is left to the status row.
  if (status === "in_progress") return { glyph: "◐", role: "accent" };
  if (status === "pending") return { glyph: "○", role: "muted" };
  return status === "failed" ? outcomes.error : outcomes.ok;
}

/** Why the arguments were not valid, in a few words, instead of the label. */
function reasonOf({ status, blocks: [block] }: Outcome): { label?: string } {
  return status === "invalid" && block?.type === "text" ? { label: sanitiseLine(block.text) } : {};
}

function duration(ms: number): string {
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : spokenTime(ms);
}

type HeadOptions = Pick<BlockContext, "width" | "open" | "code" | "keys">;

/** True if the call asks the user something in words. */
export function isAskingCall({ name }: ToolItem): boolean {
  return ASKING.includes(name);
}

/** `● edit src/a.ts  +3 −1`, with the time if the call took long. */
export function toolHead(item: ToolItem, { width, open, keys, code }: HeadOptions): Row {
  const { glyph, role, label } = lookOf(item);
  const look = style({ fg: role });
  const command = commandOf(item);
  const behind: Span[] = command ? [...moreLines(command, open ? "" : opensText({ keys }))] : [];
  let added = 0;
  let removed = 0;
  for (const block of item.outcome?.blocks ?? []) {
    if (block.type !== "diff") continue;
    added += block.added;
    removed += block.removed;
  }
  if (added > 0) behind.push({ text: `  +${added}`, style: ADDED });
  if (removed > 0) behind.push({ text: `${added > 0 ? " " : "  "}−${removed}`, style: REMOVED });
  const ms = item.outcome?.durationMs ?? 0;
  if (label) behind.push({ text: `  ${label}`, style: look });
  // The time of a question is the user's.
  else if (ms >= LONG_MS && !ASKING.includes(item.name)) behind.push({ text: `  ${duration(ms)}`, style: MUTED });
  const said = open ? undefined : shortResult(item);
  if (said !== undefined) behind.push({ text: `  ${said}`, style: MUTED });
  const title = [{ text: `${glyph} `, style: look }, ...titleSpans(item, command, code)];
  if (!command || command.more === 0) return truncateRow({ spans: [...title, ...behind] }, width);
  // A long first line leaves room for the number of lines after it.
  const room = Math.max(MIN_TITLE, width - spansWidth(behind));
  return truncateRow({ spans: [...truncateRow({ spans: title }, room).spans, ...behind] }, width);
}

/**
 * Of a command with several lines the first is shown, with the number of further lines; opened, all of it is below.
 * `opens`: the key that opens it.
 */
function moreLines({ more }: SaidCommand, opens: string): Span[] {
  if (more === 0) return [];
  return [{ text: `  +${more} ${more === 1 ? "line" : "lines"}${opens}`, style: MUTED }];
}

/** The title: what the call does in bold, and its argument, a command in shell highlighting. */
function titleSpans(item: ToolItem, command: SaidCommand | undefined, code: BlockContext["code"]): Span[] {
  const { verb, argument } = item.byPerson ? { verb: "", argument: sanitiseLine(item.title) } : spokenTitle(item);
  const lead = verb === "" ? [] : [{ text: command || argument !== "" ? `${verb} ` : verb, style: BOLD }];
  if (command && item.byPerson) return [{ text: command.what, style: BOLD }, ...shellSpans(command.line, code)];
  return [...lead, ...(command ? shellSpans(command.line, code) : [{ text: argument, style: PLAIN }])];
}

/** A command in the title of its call: the text before it, its only or first line, and the number of further lines. */
type SaidCommand = { readonly what: string; readonly line: string; readonly more: number };

/** The command of a call that ran one, if its title ends with it: it is not shown a second time. */
function commandOf({ title, outcome }: ToolItem): SaidCommand | undefined {
  const [block, ...others] = outcome?.blocks.filter(({ type }) => type === "terminal") ?? [];
  if (block?.type !== "terminal" || others.length > 0) return undefined;
  const text = sanitiseLine(title);
  const lines = block.command.trim().replaceAll("\t", " ").split("\n");
  // A command with hidden characters is shown whole below.
  if (block.command.trim() === "" || lines.some((each) => sanitiseLine(each) !== each)) return undefined;
  const [line = "", ...more] = lines;
  if (more.length === 0 && !text.endsWith(line)) return undefined;
  const at = more.length === 0 ? text.length - line.length : text.indexOf(line.trimEnd().slice(0, SURE_LENGTH));
  return at < 0 ? undefined : { what: text.slice(0, at), line: line.trimEnd(), more: more.length };
}

/** The tool whose list the panel above the input shows, too. */
const TODO = "todo";
/** A result of one line is said beside the title up to this length. */
const MAX_SHORT = 40;

/** The whole result, if it is so short that it fits beside the title. */
function shortResult({ outcome, looks, name }: ToolItem): string | undefined {
  if (outcome?.status !== "ok") return undefined;
  const [block, ...others] = outcome.blocks;
  if (name === TODO && block?.type === "todo") return tasksDone(block);
  const text = outcome.blocks.length === 0 ? outcome.text : block?.type === "text" ? block.text : "";
  const line = text.trim();
  const isShort = looks && others.length === 0 && line !== "" && line.length <= MAX_SHORT && !line.includes("\n");
  return isShort && !outcome.images?.length ? sanitiseLine(line) : undefined;
}

function tasksDone({ items }: Extract<Block, { type: "todo" }>): string {
  return `${items.filter(({ status }) => status === "completed").length} of ${items.length} done`;
}

/** The rows below the head of a call that has ended. */
export function toolBody(item: ToolItem, outcome: Outcome, context: BlockContext & PictureSpace): Row[] {
  if (!context.open && shortResult(item) !== undefined) return [];
  const command = commandOf(item);
  // A truncated head does not show the whole command.
  const isWhole = stringWidth(sanitiseLine(item.title)) + 2 <= context.width;
  const isSaid = command !== undefined && (command.more > 0 ? !context.open : isWhole);
  const inner = { ...context, width: Math.max(1, context.width - INDENT.text.length) };
  // Like `blocksOf` of the protocol, whose package would bring its schemas into the first frame.
  const isSaidBelow = outcome.blocks.length > 0 && reasonOf(outcome).label === undefined;
  const all: Block[] = isSaidBelow ? outcome.blocks : textBlocks(outcome, context);
  const blocks = item.name === QUESTION && isWhole ? all.map((block) => withoutTitle(block, item.title)) : all;
  const files = blocks.filter(({ type }) => type === "diff").length;
  const pictures = outcome.images?.filter((part) => part.type === "image") ?? [];
  const drawn = (part: ImagePart | undefined): readonly Row[] =>
    (part && context.pictures?.rowsOf(part, INDENT.text.length, inner.width)) ?? [];
  const rows = blocks.flatMap((block) => {
    if (block.type === "image") return [...blockRows(block, inner, outcome.text), ...drawn(pictures.shift())];
    const own = isSaid && block.type === "terminal" ? endRows(block, inner) : blockRows(block, inner, outcome.text);
    // If there is only one file, the title names it.
    if (block.type === "text" || block.type === "terminal") return own.map(calm);
    if (block.type !== "diff" || files < 2) return own;
    return [
      truncateRow(
        { spans: [{ text: sanitiseLine(relativePath(block.path, context.root)), style: BOLD }] },
        inner.width,
      ),
      ...own,
    ];
  });
  return prefixRows(rows, [INDENT], [INDENT]);
}

/** Output is quieter than the words of the agent; it keeps the colours that it has. */
function calm({ spans }: Row): Row {
  return { spans: spans.map(({ text, style: look }) => ({ text, style: overlay(MUTED, look) })) };
}

/** A question precedes its answer, but the head already shows it. */
function withoutTitle(block: Block, title: string): Block {
  const question = `${title.slice(QUESTION.length + 1)}\n`;
  return block.type === "text" && block.text.startsWith(question)
    ? { ...block, text: block.text.slice(question.length) }
    : block;
}

/** If a call did not run normally, the head says what happened, and the text for the model is shown as such. */
function textBlocks({ status, text }: Outcome, { open }: BlockContext): Block[] {
  if (status === "ok" || status === "error") return [{ type: "text", text }];
  return open ? [{ type: "text", text: `The model was told: ${text}` }] : [];
}

/** Output of a running call while it grows; text already parsed is not parsed again. */
export class RunningOutput {
  #text = "";
  #lines = new AnsiText();

  update(text: string): void {
    if (!text.startsWith(this.#text)) {
      this.#lines = new AnsiText();
      this.#text = "";
    }
    this.#lines.push(text.slice(this.#text.length));
    this.#text = text;
  }

  rows(context: BlockContext): Row[] {
    const inner = { ...context, width: Math.max(1, context.width - INDENT.text.length) };
    return prefixRows(runningRows(this.#lines, inner).map(calm), [INDENT], [INDENT]);
  }
}
