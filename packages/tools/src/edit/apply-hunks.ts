import { closestMatch } from "../text/closest-match.ts";
import { joinLines, splitLines, type TextLine, withLines } from "../text/text-lines.ts";
import type { Hunk } from "./patch-text.ts";

const SHOWN_PLACES = 10;

/** `lines`: where each hunk begins, from 1. */
export type AppliedHunks = { text: string; lines: number[] } | { problem: string };

/**
 * Applies hunks in order, each below the previous one. The lines must match exactly, and without a header only once:
 * nothing is guessed.
 */
export function applyHunks(text: string, hunks: readonly Hunk[], shown: string): AppliedHunks {
  let lines = splitLines(text);
  const places: number[] = [];
  let from = 0;
  for (const [at, hunk] of hunks.entries()) {
    const what = hunks.length > 1 ? `Hunk ${at + 1} of ${shown}` : `The hunk of ${shown}`;
    const place = placeOf(hunk, lines, from);
    if ("problem" in place) return { problem: `${what} ${place.problem}` };
    const fresh = hunk.lines.filter(({ sign }) => sign !== "-").map((line) => line.text);
    lines = withHunk(lines, place.at, hunk);
    places.push(place.at + 1);
    from = place.at + fresh.length;
  }
  return { text: joinLines(lines), lines: places };
}

/** Lines that stay keep their ends. */
function withHunk(lines: TextLine[], start: number, hunk: Hunk): TextLine[] {
  let result = lines;
  let at = start;
  for (let i = 0; i < hunk.lines.length; ) {
    if (hunk.lines[i]?.sign === " ") {
      at++;
      i++;
      continue;
    }
    const end = hunk.lines.findIndex(({ sign }, j) => j > i && sign === " ");
    const run = hunk.lines.slice(i, end === -1 ? hunk.lines.length : end);
    const fresh = run.filter(({ sign }) => sign === "+").map(({ text }) => text);
    result = withLines(result, at, run.length - fresh.length, fresh);
    at += fresh.length;
    i += run.length;
  }
  return result;
}

function placeOf(hunk: Hunk, lines: readonly TextLine[], from: number): { at: number } | { problem: string } {
  let start = from;
  for (const header of hunk.headers) {
    const found = findHeader(lines, header, start);
    if (found === -1) {
      return { problem: `has the header \`${header}\`, which is not in the file after line ${start}.` };
    }
    start = found + 1;
  }
  const old = hunk.lines.filter(({ sign }) => sign !== "+").map(({ text }) => text);
  if (old.length === 0) return { at: hunk.headers.length > 0 ? start : lines.length };
  const places = placesOf(old, lines, start, hunk.isAtEnd);
  const [first] = places;
  if (first === undefined) {
    const body = lines.map(({ text }) => text).join("\n");
    return { problem: `was not found in the file. ${closestMatch(body, old.join("\n"), "the patch")}` };
  }
  if (places.length > 1 && hunk.headers.length === 0) {
    const shown = places.slice(0, SHOWN_PLACES).map((at) => at + 1);
    return {
      problem: `fits at lines ${shown.join(", ")}${places.length > SHOWN_PLACES ? " …" : ""}: add lines around it, or a header after @@.`,
    };
  }
  return { at: first };
}

function findHeader(lines: readonly TextLine[], header: string, from: number): number {
  const exact = lines.findIndex(({ text }, i) => i >= from && text === header);
  return exact === -1 ? lines.findIndex(({ text }, i) => i >= from && text.trim() === header.trim()) : exact;
}

function placesOf(old: readonly string[], lines: readonly TextLine[], from: number, isAtEnd: boolean): number[] {
  const places: number[] = [];
  const last = lines.length - old.length;
  for (let at = isAtEnd ? Math.max(from, last) : from; at <= last; at++) {
    if (old.every((line, i) => lines[at + i]?.text === line)) places.push(at);
  }
  return places;
}
