import { describe, expect, it } from "vitest";
import { canonicalJson } from "../json/canonical-json.ts";
import { LoopDetector } from "./loop-detector.ts";

/** The period that is detected when a reply makes only this call. */
const after = (detector: LoopDetector, name: string, args: unknown, text: string): number =>
  detector.add([{ name, args, text }])[0]?.period ?? 0;

/** One letter per call; returns the calls after which a loop was detected, counted from 1. */
function loopsIn(calls: string): number[] {
  const detector = new LoopDetector();
  return [...calls].flatMap((letter, index) =>
    after(detector, letter, { of: letter }, `result ${letter}`) > 0 ? [index + 1] : [],
  );
}

describe("loops", () => {
  it.each([
    ["the same three times", "AAA", [3]],
    ["not twice", "AA", []],
    ["counting starts again", "AAAAAA", [3, 6]],
    ["two calls in turns", "ABABAB", [6]],
    ["three calls in turns", "ABCABCABC", [9]],
    ["four calls in turns", "ABCDABCDABCD", [12]],
    ["five calls are not a loop", "ABCDEABCDEABCDE", []],
    ["after something else", "XYABABAB", [8]],
    ["broken by another call", "AABAABAB", []],
    ["progress", "ABCDEFGH", []],
  ])("loops: %s: %s", (_name, calls, seen) => {
    expect(loopsIn(calls)).toEqual(seen);
  });

  it.each([
    ["AAA", 1],
    ["ABABAB", 2],
    ["ABCABCABC", 3],
    ["ABCDABCDABCD", 4],
    ["ABCDEABCDEABCDE", 0],
  ])("loops have a period, here %s: %d", (calls, period) => {
    const detector = new LoopDetector();
    expect([...calls].map((letter) => after(detector, letter, {}, "")).at(-1)).toBe(period);
  });

  it("calls repeated in one reply are not a round, but repeated replies are", () => {
    const detector = new LoopDetector();
    const same = { name: "read", args: { a: 1 }, text: "no" };
    const periods = [1, 2, 3].map(() => detector.add([same, same, same]).map(({ period }) => period));
    expect(periods).toEqual([[0], [0], [1]]);
  });

  it("another result is progress, and another order of keys is not", () => {
    const detector = new LoopDetector();
    const results = ["1", "2", "3"].map((text) => after(detector, "read", { a: 1 }, text));
    expect(results).toEqual([0, 0, 0]);
    const orders = [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
      { a: 1, b: 2, c: undefined },
    ];
    expect(orders.map((args) => after(detector, "read", args, "same"))).toEqual([0, 0, 1]);
  });
});

describe("replies that repeat themselves", () => {
  const named = (letter: string) => ({ name: letter, args: {}, text: "" });
  const periodsOf = (replies: string[]) => {
    const detector = new LoopDetector();
    return replies.map((letters) => Math.max(0, ...detector.add([...letters].map(named)).map(({ period }) => period)));
  };

  it.each([
    ["six calls a reply", ["ABCDEF", "ABCDEF", "ABCDEF"], [0, 0, 1]],
    ["in another order", ["AB", "BA", "AB"], [0, 0, 1]],
    ["two replies in turns", ["ABCDE", "VWXYZ", "ABCDE", "VWXYZ", "ABCDE", "VWXYZ"], [0, 0, 0, 0, 0, 2]],
    ["one call more is progress", ["ABCDE", "ABCDEF", "ABCDEFG"], [0, 0, 0]],
    ["counting starts again", ["ABCDEF", "ABCDEF", "ABCDEF", "ABCDEF", "ABCDEF", "ABCDEF"], [0, 0, 1, 0, 0, 1]],
  ])("replies that repeat themselves: %s", (_name, replies, periods) => {
    expect(periodsOf(replies)).toEqual(periods);
  });
});

describe("what is not a loop", () => {
  const poll = { name: "process", args: { action: "output" }, text: "(nothing new)", isWaiting: true };
  const look = { name: "read", args: {}, text: "same" };

  it("a call that waits is progress, also for the calls beside it", () => {
    const detector = new LoopDetector();
    expect([1, 2, 3, 4].map(() => detector.add([poll]))).toEqual([[], [], [], []]);
    detector.add([look]);
    detector.add([look]);
    detector.add([poll]);
    expect(detector.add([look])).toEqual([{ call: look, period: 0 }]);
  });

  it("messages that differ are progress, and the same words between the same calls are none", () => {
    const periods = (words: (n: number) => string) => {
      const detector = new LoopDetector();
      return [1, 2, 3].map((n) => {
        detector.hear(words(n));
        return detector.add([look])[0]?.period;
      });
    };
    expect(periods((n) => `result ${n}`)).toEqual([0, 0, 0]);
    expect(periods(() => "ping")).toEqual([0, 0, 2]);
  });

  it("counting starts again when a person has spoken", () => {
    const detector = new LoopDetector();
    detector.add([look]);
    detector.add([look]);
    detector.restart();
    expect([1, 2, 3].map(() => detector.add([look])[0]?.period)).toEqual([0, 0, 1]);
  });
});

describe("canonical JSON", () => {
  it.each([
    [{ b: 1, a: [{ d: 1, c: null }] }, '{"a":[{"c":null,"d":1}],"b":1}'],
    [undefined, "null"],
    ["x", '"x"'],
    [[], "[]"],
  ])("canonical JSON: %j", (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });
});

describe("canonical JSON", () => {
  it("canonical JSON leaves out levels that are too deep", () => {
    const deep = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`) as unknown;
    expect(canonicalJson({ b: 1, a: deep })).toBe(`{"a":${"[".repeat(63)}"…"${"]".repeat(63)},"b":1}`);
  });
});
