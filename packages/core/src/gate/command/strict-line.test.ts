import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CheckedLine } from "../../ports/tool.ts";
import { readStrictLine } from "./strict-line.ts";

function read(command: string): CheckedLine {
  const line = readStrictLine(command);
  if ("outside" in line) throw new Error(`${command}: ${line.outside}`);
  return line;
}

const words = (command: string) =>
  read(command).commands.map(({ program, args }) => [program, ...args.map((each) => each.text)]);

describe("the words of a line", () => {
  it.each<[command: string, words: string[]]>([
    ["ls -la", ["ls", "-la"]],
    ["  ls\t-la  ", ["ls", "-la"]],
    ["grep 'a b' \"c d\" e\\ f", ["grep", "a b", "c d", "e f"]],
    ["echo ''", ["echo", ""]],
    ['echo ""x', ["echo", "x"]],
    [`echo 'a'"b"c\\d`, ["echo", "abcd"]],
    [`echo 'it'\\''s'`, ["echo", "it's"]],
    [String.raw`echo "\"\\\$\`"`, ["echo", '"\\$`']],
    [String.raw`echo "\.\d\n"`, ["echo", String.raw`\.\d\n`]],
    [String.raw`find . \( -name x \) \! -path y\;`, ["find", ".", "(", "-name", "x", ")", "!", "-path", "y;"]],
    ["echo '$HOME `id` $(id) ! # ~ {a,b} > x; &'", ["echo", "$HOME `id` $(id) ! # ~ {a,b} > x; &"]],
    ["echo 'a\nb'", ["echo", "a\nb"]],
    ['echo "a\nb"', ["echo", "a\nb"]],
    ["git show HEAD~1 HEAD^ a@b", ["git", "show", "HEAD~1", "HEAD^", "a@b"]],
    ["echo a=b --x=y a,b a:b +x %s", ["echo", "a=b", "--x=y", "a,b", "a:b", "+x", "%s"]],
    [
      "grep größe 'naïve' 日本".replace("größe", "'größe'").replace("日本", '"日本"'),
      ["grep", "größe", "naïve", "日本"],
    ],
    ["echo if then", ["echo", "if", "then"]],
    ["2to3 x", ["2to3", "x"]],
  ])("%j", (command, expected) => {
    expect(words(command)).toEqual([expected]);
  });

  it.each<[command: string, joins: CheckedLine["joins"]]>([
    ["a", []],
    ["a;b", [";"]],
    ["a&&b||c|d;e", ["&&", "||", "|", ";"]],
    ["a\nb\n\nc\n", [";", ";"]],
    ["\n\na;\nb;\n", [";"]],
    ["a &&\n b |\n\n c", ["&&", "|"]],
    ["a;", []],
  ])("joins of %j", (command, joins) => {
    expect(read(command).joins).toEqual(joins);
    expect(read(command).commands).toHaveLength(joins.length + 1);
  });

  it.each([
    ["ls *.ts", "*.ts"],
    ["ls src/?.ts", "src/?.ts"],
    ["ls 'src'/*", "src/*"],
    ["ls --x=*", "--x=*"],
  ])("%s has a pattern", (command, text) => {
    expect(read(command).commands[0]?.args).toEqual([{ text, glob: true }]);
  });

  it.each(["ls '*.ts'", 'ls "*"', "ls \\*"])("%s has none", (command) => {
    expect(read(command).commands[0]?.args[0]?.glob).toBe(false);
  });

  it("keeps harmless variables and redirections apart", () => {
    expect(read("LC_ALL=C TZ='Europe/Berlin' ls x 2>&1 >/dev/null y &>/dev/null").commands).toEqual([
      {
        program: "ls",
        args: [
          { text: "x", glob: false },
          { text: "y", glob: false },
        ],
        env: [
          ["LC_ALL", "C"],
          ["TZ", "Europe/Berlin"],
        ],
        redirects: ["2>&1", ">/dev/null", ">/dev/null", "2>&1"],
      },
    ]);
  });

  it("says why a line is none", () => {
    expect(readStrictLine("echo $HOME")).toEqual({ outside: "$ stands for something that only a run shows" });
    expect(readStrictLine("ls > x")).toEqual({ outside: expect.stringContaining("writes to a file") });
    expect(readStrictLine("ls '\u202Ex'")).toEqual({ outside: "it has the character U+202E" });
    expect(readStrictLine("./x")).toEqual({ outside: "the program is not named by a plain word: ./x" });
    expect(readStrictLine("FOO=1 ls")).toEqual({ outside: "it sets the variable FOO" });
  });
});

const printable = fc.string({
  unit: fc.constantFrom(..." \t\n'\"\\$`!*?[]{}()<>|&;#~=:%+,-/._@^abzAZ019é".split("")),
  maxLength: 80,
});

describe("any text", () => {
  it("never throws, and answers with words or with why not", () => {
    fc.assert(
      fc.property(fc.oneof(printable, fc.string({ unit: "binary", maxLength: 60 })), (text) => {
        const line = readStrictLine(text);
        if ("outside" in line) expect(line.outside).not.toBe("");
        else expect(line.joins).toHaveLength(line.commands.length - 1);
      }),
      { numRuns: 3000, seed: 20_261_121 },
    );
  });

  it("comes back from single quotes as it was", () => {
    const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
    fc.assert(
      fc.property(fc.array(printable, { maxLength: 5 }), (args) => {
        expect(words(["printf", ...args.map(quote)].join(" "))).toEqual([["printf", ...args]]);
      }),
      { numRuns: 2000, seed: 20_261_122 },
    );
  });

  it("allows no line with a character of the shell's outside quotes", () => {
    fc.assert(
      fc.property(printable, fc.constantFrom(..."$`(){}<>#[]!"), printable, (before, sign, after) => {
        const line = readStrictLine(`echo ${quoteFree(before)}${sign}${quoteFree(after)}`);
        // What is left are exactly the redirections that lead nowhere.
        expect("outside" in line || line.commands.some(({ redirects }) => redirects.length > 0)).toBe(true);
      }),
      { numRuns: 2000, seed: 20_261_123 },
    );
  });

  /** Counted, not timed: each character is looked at by a fixed number of steps when a longer line costs no more each. */
  it.each(["'", '"', "\\ ", "a", "*", "a ", "a;", "~", '"a\\.b"', "a~", "a='", "2>&1 ", "A=1 ", " "])(
    "of ten thousand times %j ends at once",
    (unit) => {
      const text = `echo ${unit.repeat(Math.floor(9_990 / unit.length))}`;
      expect(readStrictLine(text)).toBeDefined();
    },
  );
});

function quoteFree(text: string): string {
  return text.replace(/['"\\]/g, "");
}
