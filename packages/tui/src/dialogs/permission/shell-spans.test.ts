import { describe, expect, it } from "vitest";
import { code, visible } from "../../text/index.ts";
import { colourShell } from "./shell-spans.ts";

const coloured = (line: string) =>
  colourShell(visible(line)).flatMap(({ text, style }) => (style.fg ? [`${style.fg}:${text}`] : []));

describe("a command in colours", () => {
  it.each([
    [
      "rm -rf docs && git push --force",
      ["syntaxFunction:rm", "syntaxNumber:-rf", "syntaxKeyword:&&", "syntaxFunction:git", "syntaxNumber:--force"],
    ],
    [
      `FOO=1 echo "a b" $HOME > out # end`,
      ["syntaxFunction:echo", 'syntaxString:"a b"', "syntaxVariable:$HOME", "syntaxKeyword:>", "syntaxComment:# end"],
    ],
    ["cat 'open", ["syntaxFunction:cat", "syntaxString:'open"]],
  ])("of %s has %j", (line, parts) => {
    expect(coloured(line)).toEqual(parts);
  });

  it("keeps every character, and what stands for hidden ones", () => {
    const line = "a\u202e b|c;  'd' \"e$F\" (g) #h";
    const spans = colourShell(visible(line));
    expect(spans.map(({ text }) => text).join("")).toBe(
      visible(line)
        .map(({ text }) => text)
        .join(""),
    );
    const hidden = code("U+202E");
    expect(spans).toContainEqual(hidden);
  });
});
