import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CheckedLine } from "./checked-line.ts";
import { exitStatus, readStrictLine } from "./strict-line.ts";

function read(command: string): CheckedLine {
  const line = readStrictLine(command);
  if ("outside" in line) throw new Error(`${command}: ${line.outside}`);
  return line;
}

const words = (command: string) =>
  read(command).commands.map(({ program, args }) => [program, ...args.map((each) => each.text)]);

describe("the words of a command line", () => {
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
    ['echo "a!b" "it works!"', ["echo", "a!b", "it works!"]],
    ['grep "foo$" "^a$|b" "$"', ["grep", "foo$", "^a$|b", "$"]],
    ["find . ! -name x", ["find", ".", "!", "-name", "x"]],
    ["[ -f a ]", ["[", "-f", "a", "]"]],
    ["git show stash@{1} @{u} {} a{b}c", ["git", "show", "stash@{1}", "@{u}", "{}", "a{b}c"]],
    ["cat src/{a,b}.ts x{,.bak}", ["cat", "src/a.ts", "src/b.ts", "x", "x.bak"]],
    ["ls a{b,c}'d e'", ["ls", "abd e", "acd e"]],
    ["# what there is\nls", ["ls"]],
    ["2to3 x", ["2to3", "x"]],
    ["ls \\\n  -l \\\n-a \\\n \tx", ["ls", "-l", "-a", "x"]],
    ["\\\nls", ["ls"]],
  ])("are read: %j", (command, expected) => {
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
    ["a && \\\nb | \\\n  c \\\n  ; d", ["&&", "|", ";"]],
    ["a\n# b; c\nd &&\n# e\nf", [";", "&&"]],
  ])("are joined in %j", (command, joins) => {
    expect(read(command).joins).toEqual(joins);
    expect(read(command).commands).toHaveLength(joins.length + 1);
  });

  it.each([
    ["ls *.ts", "*.ts"],
    ["ls src/?.ts", "src/?.ts"],
    ["ls 'src'/*", "src/*"],
    ["ls --x=*", "--x=*"],
    ["ls src/{a,}*", "src/a*"],
  ])("have a pattern in %s", (command, text) => {
    expect(read(command).commands[0]?.args[0]).toEqual({ text, glob: true });
  });

  it.each(["ls '*.ts'", 'ls "*"', "ls \\*"])("have no pattern in %s", (command) => {
    expect(read(command).commands[0]?.args[0]?.glob).toBe(false);
  });

  it("leave out harmless variables and redirections", () => {
    expect(read("LC_ALL=C TZ='Europe/Berlin' ls x 2>&1 > /dev/null y &>/dev/null").commands).toEqual([
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

  it("leave out the file that a command reads", () => {
    expect(read("wc -l <a.txt 2>&1; tr a b < 'c d'").commands).toMatchObject([
      { program: "wc", input: "a.txt", redirects: ["2>&1"] },
      { program: "tr", input: "c d" },
    ]);
    for (const text of ["cat < *", "cat < a{b,c}", "cat < a < b", "cat < $x", "cat < ''", "<a cat", "cat 0<a", "cat<a"])
      expect(readStrictLine(text), text).toHaveProperty("outside");
  });

  it("are the commands that a loop over plain words runs", () => {
    const loop = `for f in a b.c; do echo "== $f"; cat ${"$"}{f}.txt < $f | head; done && echo "$?"`;
    expect(words(loop)).toEqual([
      ["echo", "== a"],
      ["cat", "a.txt"],
      ["head"],
      ["echo", "== b.c"],
      ["cat", "b.c.txt"],
      ["head"],
      ["echo", exitStatus],
    ]);
    expect(read(loop).joins).toEqual([";", "|", ";", ";", "|", "&&"]);
    expect(words("for x in 1\ndo\n  ls $x\n  # y\ndone\nls")).toEqual([["ls", "1"], ["ls"]]);
  });

  it.each([
    "for x in *; do ls $x; done",
    "for x in 'a b'; do ls $x; done",
    "for x in a; do $x; done",
    "for PATH in a; do ls; done",
    "for x in a; do ls $y; done",
    `for x in a; do ls ${"$"}{x:-y}; done`,
    "for x in a; do for y in b; do ls; done; done",
    "for x in a; do ls; done | cat",
    "for x in a; do ls; done >/dev/null",
    "true && for x in a; do ls; done",
    "for x in; do ls; done",
    "for x in a; do done",
    "for x in a; do ls done",
    "for x in a; ls; done",
    "for x; do ls; done",
    "'for' x in a; do ls; done",
    "for x in a; do ls; 'done'",
    'for x in a; do ls; done""',
    `for x in ${"a ".repeat(31)}; do ls; done`,
    'for x in a; do"" ls; done',
    "for\\  x in a; do ls; done",
  ])("are not read from any other loop: %s", (text) => {
    expect(readStrictLine(text)).toHaveProperty("outside");
  });

  it("are absent with a reason when the line cannot be read", () => {
    expect(readStrictLine("echo $HOME")).toEqual({ outside: "what $ stands for is known only when it runs" });
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

function holds({ commands }: CheckedLine, sign: string): boolean {
  return commands.some(({ program, args, input = "" }) =>
    [program, input, ...args.map(({ text }) => text)].some((word) => word.includes(sign)),
  );
}

/** Without quotes and comments. */
const plain = printable.map((text) => text.replace(/['"\\#]/g, ""));

describe("any text as a command line", () => {
  it("never throws, and is read or refused with a reason", () => {
    fc.assert(
      fc.property(fc.oneof(printable, fc.string({ unit: "binary", maxLength: 60 })), (text) => {
        const line = readStrictLine(text);
        if ("outside" in line) expect(line.outside).not.toBe("");
        else expect(line.joins).toHaveLength(line.commands.length - 1);
      }),
      { numRuns: 3000, seed: 20_261_121 },
    );
  });

  it("is unchanged when it is read from single quotes", () => {
    const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
    fc.assert(
      fc.property(fc.array(printable, { maxLength: 5 }), (args) => {
        expect(words(["printf", ...args.map(quote)].join(" "))).toEqual([["printf", ...args]]);
      }),
      { numRuns: 2000, seed: 20_261_122 },
    );
  });

  it("may have braces, square brackets and `!` outside quotes only with their literal meaning, or as several words", () => {
    fc.assert(
      fc.property(plain, fc.constantFrom(..."{}[]!"), plain, (before, sign, after) => {
        const text = `echo ${before}${sign}${after}`;
        const line = readStrictLine(text);
        if ("outside" in line || /\{[^{}]*,[^{}]*\}/.test(text)) return;
        expect(holds(line, sign)).toBe(true);
      }),
      { numRuns: 2000, seed: 20_261_125 },
    );
  });

  it("is refused with any other shell character outside quotes", () => {
    fc.assert(
      fc.property(plain, fc.constantFrom(..."$`()<>#"), plain, (before, sign, after) => {
        // At the start of a command, `#` begins a comment.
        const start = sign === "#" ? before.replace(/[\n;|&]/g, "") : before;
        const line = readStrictLine(`echo ${start}${sign}${after}`);
        // The only exceptions: redirections that lead nowhere, a file that is read, and `$?`.
        const read = "outside" in line ? [] : line.commands.filter(({ redirects, input }) => redirects[0] ?? input);
        expect("outside" in line || read.length > 0 || holds(line, exitStatus)).toBe(true);
      }),
      { numRuns: 2000, seed: 20_261_123 },
    );
  });

  /** The limit of the runner is what keeps the time. Of a line: how many arguments it has, and characters of them all. */
  it.each<[unit: string, read: [args: number, characters: number] | string]>([
    ["'", [1, 0]],
    ['"', [1, 0]],
    ["\\ ", [1, 4995]],
    ["a", [1, 9990]],
    ["*", [1, 9990]],
    ["a ", [4995, 4995]],
    ["a;", "it has more than 30 commands"],
    ["~", "~ stands for a home folder"],
    ['"a\\.b"', [1, 6660]],
    ["a~", [1, 9990]],
    ["a='", [1, 6660]],
    ["2>&1 ", [0, 0]],
    ["A=1 ", [2497, 7491]],
    [" ", [0, 0]],
    ["a{b,c} ", [2854, 5708]],
    ["{a,", "braces group or expand"],
    ["$x", "what $ stands for is known only when it runs"],
    ["<x ", "it reads from a redirection"],
    [";for x in a;do ls;done", "it has more than 30 commands"],
  ])("with ten thousand times %j ends at once", (unit, read) => {
    const line = readStrictLine(`echo ${unit.repeat(Math.floor(9_990 / unit.length))}`);
    const args = "outside" in line ? [] : (line.commands[0]?.args ?? []);
    expect("outside" in line ? line.outside : [args.length, args.map(({ text }) => text).join("").length]).toEqual(
      read,
    );
  });
});
