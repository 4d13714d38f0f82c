import { describe, expect, it } from "vitest";
import { RepetitionDetector, withoutRepetition } from "./repetition-detector.ts";

const CHARS = 8_192;

/** The repetition found when the text arrives in pieces of this size, and how much had arrived by then. */
function hear(text: string, size = 30) {
  const detector = new RepetitionDetector(CHARS);
  for (let at = size; at < text.length + size; at += size) {
    const heard = text.slice(0, at);
    const found = detector.take(text.slice(at - size, at), () => heard);
    if (found) return { ...found, heard: heard.length };
  }
  return undefined;
}

const rows = (count: number, row: (n: number) => string) => Array.from({ length: count }, (_, n) => row(n)).join("");

describe("a text that repeats itself", () => {
  it.each([
    ["a sentence", "I will do it now. I will start. "],
    ["one character", "a"],
    ["line ends", "\n"],
    ["a block of 400 characters", `${"x".repeat(399)}y`],
    ["Chinese", "我现在就开始。"],
  ])("is found soon after it has begun: %s", (_name, block) => {
    const before = "First something else.\n";
    const found = hear(before + block.repeat(Math.ceil(100_000 / block.length)));
    expect(found?.from).toBeLessThanOrEqual(before.length);
    expect(found?.heard).toBeLessThan(before.length + CHARS * 1.3 + block.length);
    expect(block.length % (found?.block ?? 0)).toBe(0);
  });

  it.each([
    ["a table of rows that are alike", rows(4_000, (n) => `| ${n} | ok | 0 | ok | 0 |\n`)],
    ["numbered lines", rows(4_000, (n) => `${n}. Do it again and again.\n`)],
    ["a repetition that ends", `${"again ".repeat(1_000)}And then something else.`],
    ["few repetitions of a long block", rows(15, () => rows(60, (n) => `line ${n}, ${n * n}\n`))],
    ["prose", rows(3_000, (n) => `word${(n * 7919) % 1009} `)],
    ["a short text", "no ".repeat(50)],
  ])("is not %s", (_name, text) => {
    expect(hear(text)).toBeUndefined();
  });

  it("keeps two blocks of it", () => {
    const text = `So: ${"Again. ".repeat(2_000)}`;
    const found = new RepetitionDetector(CHARS).take(text, () => text);
    expect(found && withoutRepetition(text, found)).toMatch(/^So: Again\. Again\.\n\n\[The model repeated this/);
  });

  it("is found in one piece, too", () => {
    expect(hear("no ".repeat(100_000), 1_000_000)).toBeDefined();
  });
});
