// biome-ignore-all lint/suspicious/noTemplateCurlyInString: text for a shell, no template of ours.
import type { ShellGrammar, ShellReading } from "@harness/gate";
import { beforeAll, describe, expect, it } from "vitest";
import { createShellGrammar } from "./bash-grammar.ts";

const grammar: ShellGrammar = createShellGrammar();
beforeAll(() => grammar.load());

function read(command: string): ShellReading {
  const reading = grammar.read(command);
  if (!reading) throw new Error("The grammar is not loaded.");
  return reading;
}

/** Commands as words separated by `|`; words that are not literal are preceded by `?`. */
const wordsOf = (command: string) =>
  read(command).commands.map(({ words }) => words.map(({ text, literal }) => (literal ? text : `?${text}`)).join("|"));

describe("the shell grammar", () => {
  it("reads nothing before it is loaded", () => {
    expect(createShellGrammar().read("ls")).toBeUndefined();
  });
  it("loads once", async () => {
    const fresh = createShellGrammar();
    const first = fresh.load();
    expect(fresh.load()).toBe(first);
    await first;
    expect(fresh.read("ls")?.commands).toHaveLength(1);
  });
});

describe("the words of a command", () => {
  it.each([
    ["ls -l a", ["ls|-l|a"]],
    [`'a b' "c d" e\\ f`, ["a b|c d|e f"]],
    [`a'b'"c"d`, ["abcd"]],
    [`"a\\"b\\$c\\d" '\\'`, ['a"b$c\\d|\\']],
    ["$'a\\tb\\x41\\101\\u00e9\\'\\cA'", ["a\tbAAé'\u0001"]],
    ['$"a b"', ["a b"]],
    ['ls $x "$x" ${x} "a${x}b"', ["ls|?$x|?$x|?${x}|?a${x}b"]],
    ["ls '$x' \"\\$x\" \\$x", ["ls|$x|$x|$x"]],
    ["ls *.ts a? [ab] ~/x {a,b}", ["ls|?*.ts|?a?|?[ab]|?~/x|?{a,b}"]],
    ["ls '*.ts' \\*", ["ls|*.ts|*"]],
    ["ls a\\\nb", ["ls|ab", "ls|a|b"]],
    ["test a == b", ["test|a|==|b"]],
    ["echo a$ =", ["echo|a$|="]],
    ["é 'ü ❤️' 日本", ["é|ü ❤️|日本"]],
    ["ls -- -a", ["ls|--|-a"]],
    ["export A=1 B", ["export|A=1|B"]],
    ["unset A", ["unset|A"]],
    ["ls > out -l", ["ls|-l"]],
    ["> out ls -l", ["ls|-l"]],
    ["a | b > out c", ["a", "b|c"]],
    ["ls <<EOF\nx\nEOF", ["ls"]],
    ["", []],
    ["# ls", []],
  ])("are read from %j", (command, words) => {
    expect(read(command).problem).toBeUndefined();
    expect(wordsOf(command)).toEqual(words);
  });
});

describe("the surroundings of a command", () => {
  it("include assignments, redirections, pipes and nesting", () => {
    expect(read("X=1 Y='a b' ls > out 2>&1 < in").commands).toEqual([
      {
        words: [{ text: "ls", literal: true }],
        assignments: ["X=1", "Y='a b'"],
        redirects: [
          { operator: ">", target: { text: "out", literal: true } },
          { operator: "2>&", target: { text: "1", literal: true } },
          { operator: "<", target: { text: "in", literal: true } },
        ],
        piped: false,
        nested: false,
      },
    ]);
    expect(read("a | b |& c").commands.map(({ piped }) => piped)).toEqual([false, true, true]);
    expect(read("a | { b; c; }").commands.map(({ piped }) => piped)).toEqual([false, true, true]);
    expect(read("tee >(sh)").commands.map(({ piped }) => piped)).toEqual([false, true]);
    expect(read("ls; echo $(a); if b; then c; fi; (d)").commands.map(({ nested }) => nested)).toEqual([
      false,
      false,
      true,
      true,
      true,
      false,
    ]);
  });
  it("include the text of a here-document", () => {
    expect(read("sh <<-'EOF'\n\ta $x\n\tEOF").commands[0]?.redirects).toEqual([
      { operator: "<<-", target: { text: "a $x\n", literal: true } },
    ]);
    expect(read("sh <<EOF\na $x\nEOF").commands[0]?.redirects[0]?.target).toEqual({ text: "a $x\n", literal: false });
    expect(read("sh <<< 'a b'").commands[0]?.redirects[0]).toEqual({
      operator: "<<<",
      target: { text: "a b", literal: true },
    });
  });
});

describe("an ambiguous command", () => {
  it.each([
    "if",
    "a &&",
    'echo "x',
    "echo 'x",
    "echo $(a",
    "echo `a",
    "(a",
    "a)",
    "{ a",
    "for i in",
    "case x in",
    "cat <<EOF\nx",
    "cat <<EOF\nx\nEOF \na\nEOF",
    "cat <<A <<B\n1\nA\n2\nB",
    "{a,b}",
    "echo $((1) | b)",
    "a\fb",
    "a\rb",
    "a\u00a0b",
    "a\u200bb",
    "a\u0000b",
    "\ud800",
    "a".repeat(10_001),
    `${"$(".repeat(300)}a${")".repeat(300)}`,
  ])("is reported as a problem: %j", (command) => {
    expect(read(command).problem).toMatch(/^[a-z]/);
  });
  it("is read as far as possible", () => {
    expect(wordsOf("ls a; rm b; (")).toEqual(expect.arrayContaining(["ls|a", "rm|b"]));
  });
});

describe("the time limit of the grammar", () => {
  it("is shared by all texts of one command", () => {
    const time = { leftMs: 50 };
    expect(grammar.read("echo one", time)?.problem).toBeUndefined();
    expect(time.leftMs).toBeLessThan(50);
    expect(grammar.read("echo two", { leftMs: 0 })).toEqual({ commands: [], problem: "takes too long to read" });
  });
  it("is not spent on commands with very many parts", () => {
    expect(read("a|".repeat(3000)).problem).toBe("has more parts than can be read");
  });
  it.each([
    "$(",
    "`",
    "((",
    "{a,",
    "<<E\n",
    "'",
    '"',
    "f(){ ",
    "a|",
    "[[ ",
    "x=(",
    "case x in ",
    "\\\n",
    "if ",
    "${x:-",
  ])("holds for many repetitions of %j", (part) => {
    expect(read(part.repeat(10_000 / part.length))).toHaveProperty("commands");
  });
});
