import { readCallArguments } from "../calls/json-arguments.ts";
import type { OfferedTools } from "../calls/offered-tools.ts";
import { type CallForm, type Reading, skipSpace, type WrittenCall } from "../calls/text-call.ts";

const HEADER =
  /(?:<\|start\|>assistant(?:\s+to=([\w.:/-]{1,128}))?)?(?:<\|channel\|>(analysis|commentary|final)([^<\n]{0,200}))?(?:<\|constrain\|>[^<\n]{0,40})?<\|message\|>/y;
const NEXT = /<\|(?:end|call|return|start|channel)\|>/g;
const OVER = /<\|(?:end|call|return)\|>/y;

type Segment =
  | { kind: "call"; call: WrittenCall; raw: string }
  | { kind: "thinking" | "text"; raw: string; content: string };

/** The whole reply is in channels: thoughts, calls and text for people. */
export const harmony: CallForm = {
  id: "harmony",
  source: "OpenAI harmony response format (gpt-oss)",
  openers: ["<|channel|>", "<|start|>assistant"],
  closers: [],
  starts: () => ["analysis", "commentary", "final", "<|channel|>", "to=", "<|message|>"],
  read({ text, start, at, tools }) {
    HEADER.lastIndex = start;
    if (!HEADER.test(text)) return { end: at };
    const segments: Segment[] = [];
    for (let position = start; position < text.length; ) {
      const { segment, end } = readSegment(text, position, tools);
      segments.push(segment);
      position = end;
    }
    return readingOf(segments, text.length);
  },
};

function readSegment(text: string, at: number, tools: OfferedTools): { segment: Segment; end: number } {
  HEADER.lastIndex = at;
  const header = HEADER.exec(text);
  const from = at + (header?.[0].length ?? 0);
  const recipient = header?.[1] ?? header?.[3]?.match(/\bto=([\w.:/-]+)/)?.[1];
  const name = recipient?.replace(/^functions\./, "");
  if (name !== undefined && tools.takes(name)) {
    const one = readCallArguments(text, from, name, "<|call|>");
    const call = one.calls?.[0];
    if (call) {
      const end = afterTerminator(text, skipSpace(text, one.end));
      return { segment: { kind: "call", call, raw: text.slice(at, end) }, end };
    }
  }
  // A mark that begins no header is text.
  NEXT.lastIndex = header ? from : at + 1;
  const stop = NEXT.exec(text)?.index ?? text.length;
  const end = afterTerminator(text, stop);
  const raw = text.slice(at, end);
  if (name !== undefined) return { segment: { kind: "text", raw, content: raw }, end };
  const kind = header?.[2] === "analysis" ? "thinking" : "text";
  return { segment: { kind, raw, content: text.slice(from, stop) }, end };
}

function afterTerminator(text: string, at: number): number {
  OVER.lastIndex = at;
  return OVER.test(text) ? OVER.lastIndex : at;
}

/** Calls count only at the end; one that is followed by anything is shown as written. */
function readingOf(segments: readonly Segment[], end: number): Reading {
  const spoken = segments.filter((each) => each.kind === "call" || each.content.trim() !== "");
  const lastOther = spoken.findLastIndex((each) => each.kind !== "call");
  const calls = spoken.slice(lastOther + 1).flatMap((each) => (each.kind === "call" ? [each.call] : []));
  const others = spoken.slice(0, lastOther + 1);
  const texts = others.filter((each) => each.kind !== "thinking");
  const thoughts = others.filter((each) => each.kind === "thinking");
  return { calls, end, text: joinSegments(texts), thinking: joinSegments(thoughts) };
}

function joinSegments(segments: readonly Segment[]): string {
  return segments.map((each) => (each.kind === "call" ? each.raw : each.content).trim()).join("\n\n");
}
