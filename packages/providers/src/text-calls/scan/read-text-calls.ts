import type { ModelRequest, ToolSpec } from "@harness/core";
import { OfferedTools } from "../calls/offered-tools.ts";
import { type BlockStart, type CallForm, type Reading, skipSpace, type TextCall } from "../calls/text-call.ts";
import { FORMS, formsOf, openerAt } from "../forms/call-forms.ts";
import { bare, fenced } from "../forms/fenced.ts";
import { blockEnd } from "./block-end.ts";
import { MarkupScan } from "./markup-scan.ts";

/** `text` is the remaining text for people. */
export type TextCalls = { calls: TextCall[]; text: string; thinking?: string; form: string };

/** Allowed after the last block: stop words that the server did not remove, and unmatched closing marks. */
const STOP_WORD =
  /<\|(?:im_end|eot_id|eom_id|end|endoftext|end_of_text|end_of_turn|return|call|observation|user|END_OF_TURN_TOKEN)\|>|<\/s>|<end_of_turn>|<｜end▁of▁sentence｜>|<\/tool_calls?>|\[\/TOOL_CALLS\]|\[e~\[/y;

const CLOSERS = [...new Set(FORMS.flatMap((form) => form.closers))];

/** `isTextAsked`: the model was asked to write its calls as text, because it has no support for tools. */
export type ReadOptions = {
  isTextAsked?: boolean;
  /** Other programs' names for the tools, which count if text was asked for. */
  aliases?: ModelRequest["toolAliases"];
};

/**
 * Reads the calls at the end of a message if the model wrote them as text. Undefined if there are none, and the message
 * is just text. A call counts only in one of the known forms, outside of any quotation, at the very end; and if no mark
 * of the model precedes it, only with the name of an offered tool. Linear in the length of the text.
 */
export function readTextCalls(
  text: string,
  tools: readonly ToolSpec[],
  options: ReadOptions = {},
): TextCalls | undefined {
  const offered = new OfferedTools(tools, options);
  return readWhole(text, offered) ?? readMarked(text, offered);
}

/** Reads a message that consists only of calls. */
function readWhole(text: string, tools: OfferedTools): TextCalls | undefined {
  const start = skipSpace(text, 0);
  if (text[start] !== "{" && text[start] !== "[") return undefined;
  const reading = bare.read({ text, start, at: start, opener: "", tools });
  if (!reading.calls || !isOver(text, reading.end)) return undefined;
  return { ...foundCalls([{ form: bare.id, reading }]), text: "" };
}

function readMarked(text: string, tools: OfferedTools): TextCalls | undefined {
  const scan = new MarkupScan();
  let readTo = 0;
  for (let at = 0; at < text.length; ) {
    const { mark, to } = scan.scanWhole(text, at);
    at = to;
    if (!mark || mark.at < readTo) continue;
    const start = { text, start: mark.at, at: mark.at + mark.opener.length, opener: mark.opener, tools };
    const run = mark.isFence ? readFences(start) : readRun(start);
    if (!run.blocks) {
      readTo = run.end;
      continue;
    }
    const whole = foundCalls(run.blocks);
    const before = text.slice(0, mark.at).trimEnd();
    const left = [before, whole.text].filter((each) => each !== "").join("\n\n");
    return { ...whole, text: left };
  }
  return undefined;
}

type ReadBlock = { form: string; reading: Extract<Reading, { calls: unknown[] }> };
type BlockRun = { blocks: ReadBlock[]; end: number } | { blocks?: undefined; end: number };

/** Consecutive blocks, up to the end of the message. */
function readRun(first: BlockStart): BlockRun {
  const { text, tools } = first;
  const blocks: ReadBlock[] = [];
  for (let block = first; ; ) {
    const { form, reading } = readBlock(block, formsOf(block.opener));
    if (!reading.calls) return { end: Math.max(reading.end, blockEnd(block)) };
    blocks.push({ form, reading });
    if (isOver(text, reading.end)) return { blocks, end: reading.end };
    // If arguments could not be read, only the marks determine where they end.
    const end = reading.calls.every((call) => call.input) ? reading.end : blockEnd(block);
    if (end > reading.end) return { end };
    const start = skipSpace(text, reading.end);
    const opener = openerAt(text, start);
    if (opener === undefined || opener === "maybe") return { end: reading.end };
    block = { text, start, at: start + opener.length, opener, tools };
  }
}

function readFences(first: BlockStart): BlockRun {
  const { text, tools } = first;
  const blocks: ReadBlock[] = [];
  for (let block = first; ; ) {
    const { form, reading } = readBlock(block, [fenced]);
    if (!reading.calls) return { end: reading.end };
    blocks.push({ form, reading });
    if (isOver(text, reading.end)) return { blocks, end: reading.end };
    const start = skipSpace(text, reading.end);
    const newline = text.indexOf("\n", start);
    if (!/^(```|~~~)/.test(text.slice(start, start + 3)) || newline < 0) return { end: reading.end };
    block = { text, start, at: newline, opener: text.slice(start, newline), tools };
  }
}

function readBlock(block: BlockStart, forms: readonly CallForm[]): { form: string; reading: Reading } {
  let end = block.at;
  for (const form of forms) {
    const reading = form.read(block);
    if (reading.calls) return { form: form.id, reading };
    end = Math.max(end, reading.end);
  }
  return { form: "", reading: { end } };
}

function isOver(text: string, from: number): boolean {
  for (let at = skipSpace(text, from); ; at = skipSpace(text, STOP_WORD.lastIndex)) {
    if (at >= text.length || isCutCloser(text, at)) return true;
    STOP_WORD.lastIndex = at;
    if (!STOP_WORD.test(text)) return false;
  }
}

/** The output ended inside the closing mark, after everything that matters. */
function isCutCloser(text: string, at: number): boolean {
  const rest = text.length - at;
  return rest >= 2 && rest < 40 && CLOSERS.some((each) => each.length > rest && each.startsWith(text.slice(at)));
}

function foundCalls(blocks: readonly ReadBlock[]): TextCalls {
  const calls = blocks.flatMap(({ form, reading }) => reading.calls.map((call) => ({ ...call, form })));
  const texts = blocks.map(({ reading }) => reading.text ?? "").filter((each) => each !== "");
  const thoughts = blocks.map(({ reading }) => reading.thinking ?? "").filter((each) => each !== "");
  return {
    calls,
    text: texts.join("\n\n"),
    ...(thoughts.length > 0 && { thinking: thoughts.join("\n\n") }),
    form: blocks[0]?.form ?? "",
  };
}
