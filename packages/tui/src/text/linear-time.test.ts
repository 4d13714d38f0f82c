import { describe, expect, it } from "vitest";
import { AnsiText } from "./ansi-text.ts";
import { EscapeReader } from "./escape-reader.ts";
import { joinLines } from "./join-lines.ts";
import { sanitise } from "./sanitise.ts";
import { visible } from "./visible.ts";
import { wrapSpans } from "./wrap.ts";

/** What hostile text repeats. A reading that looks back or ahead for each of them never comes to the end of these. */
const pieces: Record<string, string> = {
  "begun sequences": "\u001b[",
  "begun strings": "\u001b]",
  "ended strings": "\u001b]0;t\u0007",
  "sequences without an end": "\u001b[1;",
  intermediates: "\u001b(",
  colours: "\u001b[31m",
  blanks: " ",
  "blanks with something between": "   x",
  tabs: "\t",
  "carriage returns": "a\r",
  backspaces: "a\b",
  "empty lines": "\n",
  marks: "\u0301",
  "letters with marks": `a${"\u0301".repeat(10)}`,
  "hidden characters": "\u202e",
  joiners: "\u200d",
  "joined emoji": "👩\u200d",
  "picture styles": "1\ufe0f",
  "half characters": "\ud83d",
  controls: "\u0000",
  wide: "日",
};
/** Squared, this many would take hours. */
const COUNT = 100_000;

describe.each(Object.entries(pieces))("100,000 × %s", (_, piece) => {
  const text = piece.repeat(COUNT);

  it("are sanitised in one pass, whole or in chunks", () => {
    const whole = sanitise(`${text}\nend`);
    expect(whole.endsWith("end")).toBe(true);
    expect(whole.length).toBeLessThanOrEqual(text.length + 4);
  });

  it("are put on one line", () => {
    expect(joinLines(`${text}end`)).not.toContain("\n");
  });

  it("are read as the output of a tool", () => {
    const stream = new AnsiText();
    for (let at = 0; at < text.length; at += 4096) stream.push(text.slice(at, at + 4096));
    stream.push("\nend");
    stream.end();
    expect(
      stream
        .lines(1)[0]
        ?.map((span) => span.text)
        .join(""),
    ).toBe("end");
  });

  it("are shown in a question", () => {
    const line = text.replaceAll("\n", "");
    const rows = wrapSpans(visible(line), 80, "hard");
    expect(rows.length).toBeGreaterThan(0);
  });
});

describe("the reader of escape sequences", () => {
  it("tells no more than twice as much of twice the text", () => {
    const told = (text: string): number => {
      let steps = 0;
      const step = (): void => {
        steps += 1;
      };
      const reader = new EscapeReader({
        text: (run) => {
          steps += run.length;
        },
        newline: step,
        carriageReturn: step,
        tab: step,
        backspace: step,
        sgr: step,
        eraseLine: step,
      });
      reader.push(text);
      reader.end();
      return steps;
    };
    for (const piece of Object.values(pieces)) {
      const [once, twice] = [told(piece.repeat(5000)), told(piece.repeat(10_000))];
      expect(once).toBeLessThanOrEqual(piece.length * 5000);
      expect(twice).toBeLessThanOrEqual(2 * once + piece.length);
    }
  });
});
