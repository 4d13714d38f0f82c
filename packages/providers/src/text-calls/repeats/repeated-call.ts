import type { ModelRequest } from "@harness/core";
import { textOf } from "@harness/protocol";
import { isRecord } from "../../json/lenient-json.ts";
import type { WrittenCall } from "../calls/text-call.ts";
import { type SeenText, seenTexts, squashed, ToolMention } from "./seen-text.ts";

/** Each distinct call is searched for everywhere; a reply with more of them is a loop or a list rather than a plan. */
const MAX_DIFFERENT = 64;

/**
 * True if a tool, the user or an instruction file has shown the model one of these very calls: the tool and all its
 * arguments, in any form and order, whatever the lines begin with. Then the model only repeats what it read, and a file
 * that it read must not run anything. A call without an argument value is too common to be recognised.
 */
export function isRepeated(calls: readonly WrittenCall[], { system, messages }: ModelRequest): boolean {
  const different = new Map(calls.map((call) => [JSON.stringify([call.name, call.input ?? call.inputText]), call]));
  if (different.size > MAX_DIFFERENT) return true;
  const wanted = wantedBy([...different.values()]);
  const isIn = (text: string) =>
    wanted.some(({ tool, calls: own }) =>
      seenTexts(text, tool).some((seen) => own.some((values) => isCalled(seen, values))),
    );
  return (
    messages.some((message) => {
      if (message.role === "assistant") return false;
      return isIn(message.role === "tool" ? message.text : textOf(message.content));
    }) || isIn(system)
  );
}

/** The values to look for, grouped by tool. */
function wantedBy(calls: readonly WrittenCall[]): { tool: ToolMention; calls: Value[][] }[] {
  const byName = new Map<string, Value[][]>();
  for (const { name, input, inputText } of calls) {
    const values = input ? valuesOf(input) : rawValue(inputText ?? "");
    if (values.length > 0) byName.set(name, [...(byName.get(name) ?? []), values]);
  }
  return [...byName].map(([name, own]) => ({ tool: new ToolMention(name), calls: own }));
}

/** A value preceded by its key, in each of its possible spellings. */
type Value = { spellings: readonly string[]; isBounded: boolean };

/** Values by length, the longest first: they occur in the fewest places. */
function valuesOf(input: Record<string, unknown>): Value[] {
  return leaves(input).sort((a, b) => lengthOf(b) - lengthOf(a));
}

function leaves(input: Record<string, unknown>): Value[] {
  return Object.entries(input).flatMap(([key, value]): Value[] => {
    if (isRecord(value)) return leaves(value);
    if (!Array.isArray(value)) return leaf(key, value);
    if (value.some(isRecord)) return value.flatMap((each) => (isRecord(each) ? leaves(each) : []));
    return value.length > 0 ? leaf(key, JSON.stringify(value)) : [];
  });
}

function leaf(key: string, value: unknown): Value[] {
  const text = squashed(String(value ?? ""));
  const name = squashed(key);
  return text === "" ? [] : [{ spellings: [`${name}:${text}`, `${name}=${text}`], isBounded: true }];
}

/** Arguments that are not JSON, as written. */
function rawValue(inputText: string): Value[] {
  const text = squashed(inputText).replace(/^[{,]+|[},]+$/g, "");
  return /[:=]./.test(text) ? [{ spellings: [text], isBounded: false }] : [];
}

function lengthOf({ spellings }: Value): number {
  return spellings[0]?.length ?? 0;
}

/** The largest distance between a tool's name and its arguments in any form. */
const GAP = 200;

function isCalled(seen: SeenText, values: readonly Value[]): boolean {
  const [longest, ...others] = values;
  if (!longest) return false;
  const reach = others.reduce((sum, each) => sum + lengthOf(each), GAP);
  for (const span of spansOf(seen.text, longest)) {
    const from = Math.max(0, span.at - reach);
    const near = seen.text.slice(from, span.end + reach);
    const spans = others.map((each) => nearest(near, each, span.at - from));
    if (!spans.every((each) => each !== undefined)) continue;
    const all = [span, ...spans.map(({ at, end }) => ({ at: at + from, end: end + from }))];
    if (isNamed(seen, Math.min(...all.map((each) => each.at)), Math.max(...all.map((each) => each.end)))) return true;
  }
  return false;
}

/** The name comes before the arguments, with nothing closed in between; or right after them. */
function isNamed({ text, names }: SeenText, from: number, to: number): boolean {
  const next = firstAfter(names, from);
  const before = names[next - 1];
  if (before !== undefined && from - before <= GAP && !/[})]|<\//.test(text.slice(before, from))) return true;
  const after = names[firstAfter(names, to - 1)];
  return after !== undefined && /^[}\]),]{0,6}$/.test(text.slice(to, Math.max(to, Math.min(after, to + GAP))));
}

/** The index of the first position that is after `at`; `positions` are sorted. */
function firstAfter(positions: readonly number[], at: number): number {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((positions[middle] ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

type Span = { at: number; end: number };

/** Occurrences of the value as an argument: between delimiters of keys and values. */
function* spansOf(text: string, { spellings, isBounded }: Value): Generator<Span> {
  for (const spelling of spellings) {
    for (let at = text.indexOf(spelling); at >= 0; at = text.indexOf(spelling, at + 1)) {
      const end = at + spelling.length;
      const isWhole = isEdge("{,(=;[", text[at - 1]) && isEdge("},)]<;", text[end]);
      if (isWhole || !isBounded) yield { at, end };
    }
  }
}

function isEdge(edges: string, char: string | undefined): boolean {
  return char === undefined || edges.includes(char);
}

function nearest(text: string, value: Value, at: number): Span | undefined {
  let best: Span | undefined;
  for (const span of spansOf(text, value)) {
    if (!best || Math.abs(span.at - at) < Math.abs(best.at - at)) best = span;
  }
  return best;
}
