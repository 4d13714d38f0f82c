import { visibleText } from "@harness/protocol/text";

/** Escape sequences of terminals (ECMA-48: CSI, OSC and those of two characters). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with a control character.
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g;

/** The output of a tool, without colours and with hidden characters made visible. */
export function outputText(text: string): string {
  const plain = text
    .replace(SEQUENCES, "")
    .replace(/\r\n/g, "\n")
    .replace(/^.*\r(?!$)/gm, "");
  return plain
    .split("\n")
    .map((line) => line.split("\t").map(visibleText).join("\t"))
    .join("\n");
}

/** At most so many lines, and how many are left out. */
export function firstLines(text: string, most: number): { text: string; more: number } {
  const lines = text.split("\n");
  return { text: lines.slice(0, most).join("\n"), more: Math.max(0, lines.length - most) };
}

/** `just now`, `5 min`, `3 h`, `2 d`, or a date. */
export function agoText(at: string, nowMs: number): string {
  const minutes = Math.floor((nowMs - Date.parse(at)) / 60_000);
  if (Number.isNaN(minutes)) return "";
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`;
  return minutes < 7 * 24 * 60 ? `${Math.floor(minutes / 1440)} d` : at.slice(0, 10);
}
