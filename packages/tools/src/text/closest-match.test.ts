import { describe, expect, it } from "vitest";
import { closestMatch } from "./closest-match.ts";

const source = `import { a } from "./a.ts";

export function first(x: number): number {
\tif (x > 0) {
\t\treturn x * 2;
\t}
    return 0;
}

export function second(): string {
  return "it’s café – done";
}
`;

describe("the closest match", () => {
  it.each([
    ["line numbers", "     7\t    return 0;\n     8\t}", /match at line 7: it has the line numbers/],
    ["backslashes", "return 0;\\n}", /match at line 7: it has backslash sequences/],
    ["a code fence", "```ts\n    return 0;\n}\n```", /match at line 7: it is wrapped in a code fence/],
    ["blank lines", "\n\n    return 0;\n}\n\n\n", /match at line 7: it has empty lines/],
    ["blanks at line ends", "    return 0;  \n}", /At line 7 .* only in spaces or tabs at the end of lines/],
    ["tabs", "    if (x > 0) {\n        return x * 2;", /At line 4 .* only in tabs where the file has spaces/],
    ["indentation", "  if (x > 0) {\n  return x * 2;", /At line 4 .* only in the indentation/],
    ["blanks between", "if (x>0) {", /At line 4 .* only in the number of blanks/],
    ["quotes", "it's café - done", /At line 11 .* only in typographic quotes, dashes/],
    ["NFD", "caf\u0065\u0301", /At line 11 .* accented letters are encoded/],
    ["case", "EXPORT FUNCTION second", /At line 10 .* only in capital and small letters/],
  ])("is described by a difference in %s", (_what, old, words) => {
    expect(closestMatch(source, old)).toMatch(words);
  });

  it("is shown as numbered lines of the file", () => {
    expect(closestMatch(source, "  if (x > 0) {\n  return x * 2;")).toMatch(
      /The file has:\n {5}4\t\tif \(x > 0\) \{\n {5}5\t\t\treturn x \* 2;$/,
    );
  });

  it("is found by the lines that agree, and shown with the first that differs", () => {
    const words = closestMatch(source, "    return 0;\n}\n\nexport function third(): string {");
    expect(words).toContain("The closest place is line 7; the first line that differs is 10.");
    expect(words).toContain('old_string has: "export function third(): string {"');
    expect(words).toContain('the file has:   "export function second(): string {"');
  });

  it("is the only place with the same first and last line, whatever is between them", () => {
    const words = closestMatch(source, "export function first(x: number): number {\n  const y = 1;\n    return 0;");
    expect(words).toMatch(
      /^Only lines 3-7 begin and end as old_string does\. The file has:\n {5}3\texport function first/,
    );
    expect(words).toMatch(/ {5}7\t {4}return 0;$/);
    expect(closestMatch("a\nb\nc\na\nd\nc\n", "a\nx\nc")).not.toMatch(/^Only/);
    expect(closestMatch("a1\nb\nc1\nc1\n", "a1\nx\nc1")).not.toMatch(/^Only/);
  });

  it("is said to be one of several", () => {
    expect(closestMatch("  ab\n\tab\n", "ab  ")).toMatch(/^At line 1 and in 1 more place the file differs .* only in/);
  });

  it("can be a single similar line", () => {
    expect(closestMatch(source, "export function secnd(): strin {")).toContain("The closest place is line 10;");
  });

  it("is reported as missing when nothing is similar", () => {
    expect(closestMatch(source, "0x1234567890")).toBe("Nothing in the file resembles it: read the file again.");
    expect(closestMatch("", "x")).toMatch(/Nothing/);
  });

  it("is found without regard to CRs", () => {
    expect(closestMatch("a\r\n  b\r\n", "a\nb")).toMatch(/At line 1 .* indentation/);
  });

  it("is found fast in texts that are made to be slow", () => {
    const blanks = `a${" ".repeat(200_000)}b\n${"\n".repeat(200_000)}`;
    expect(closestMatch(blanks, "a  c")).toMatch(/\S/);
    expect(closestMatch("abc\n".repeat(300_000), "abd\nabe")).toMatch(/\S/);
    expect(closestMatch("x".repeat(5_000_000), "y")).toMatch(/^Read the place again/);
  });
});
