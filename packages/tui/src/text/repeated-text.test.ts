import { describe, expect, it } from "vitest";
import { repeatedText } from "../../test/repeated-text.ts";
import { AnsiText } from "./ansi-text.ts";
import { EscapeReader } from "./escape-reader.ts";
import { joinIntoLine } from "./join-lines.ts";
import { sanitise } from "./sanitise.ts";
import { visible } from "./visible.ts";
import { wrapSpans } from "./wrap.ts";

const COUNT = 2000;

describe.each(Object.entries(repeatedText))("2,000 × %s", (_, piece) => {
  const text = piece.repeat(COUNT);

  it("are sanitised in one pass, whole or in chunks", () => {
    const whole = sanitise(`${text}\nend`);
    expect(whole.endsWith("end")).toBe(true);
    expect(whole.length).toBeLessThanOrEqual(text.length + 4);
  });

  it("are put on one line", () => {
    expect(joinIntoLine(`${text}end`)).not.toContain("\n");
  });

  it("are read as the output of a tool", () => {
    const stream = new AnsiText();
    for (let at = 0; at < text.length; at += 999) stream.push(text.slice(at, at + 999));
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
  it("reports no more than twice as much of twice the text", () => {
    const stepsOf = (text: string): number => {
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
    for (const piece of Object.values(repeatedText)) {
      const [once, twice] = [stepsOf(piece.repeat(5000)), stepsOf(piece.repeat(10_000))];
      expect(once).toBeLessThanOrEqual(piece.length * 5000);
      expect(twice).toBeLessThanOrEqual(2 * once + piece.length);
    }
  });
});
