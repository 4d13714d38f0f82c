import { expect, it } from "vitest";
import { readDotenv } from "./dotenv-lines.ts";

it.each<[string, string, Record<string, string>]>([
  ["a plain value", "A=1", { A: "1" }],
  ["spaces around", "  A = some text \t", { A: "some text" }],
  ["export", "export A=1\n  export\tB=2", { A: "1", B: "2" }],
  ["comments", "# no\n\nA=1 # one\nB=x#y\n#C=3\nD=#", { A: "1", B: "x#y", D: "" }],
  ["line ends of Windows", "A=1\r\nB=2\r\n", { A: "1", B: "2" }],
  ["a byte order mark", "\uFEFFA=1", { A: "1" }],
  ["no value", "A=\nB=''\nC=\"\"", { A: "", B: "", C: "" }],
  ["an equals sign in a value", "A=b=c==", { A: "b=c==" }],
  ["single quotes", "A='x # \\n $B' # c", { A: "x # \\n $B" }],
  ["double quotes", 'A="x # y\\n\\t\\"z\\" \\\\ \\q"', { A: 'x # y\n\t"z" \\ \\q' }],
  ["backticks", 'A=`it\'s "so"`', { A: 'it\'s "so"' }],
  ["several lines", 'A="one\ntwo"\nB=3', { A: "one\ntwo", B: "3" }],
  ["the last of two", "A=1\nA=2", { A: "2" }],
  ["nothing to expand", "A=$HOME/$B", { A: "$HOME/$B" }],
  ["names with digits and dots", "A1.b=1", { "A1.b": "1" }],
  ["an escaped quote at the end", 'A="x\\\\"\nB=1', { A: "x\\", B: "1" }],
])("dotenv lines: %s is read", (_name, text, expected) => {
  const { variables, unclear } = readDotenv(text);
  expect(Object.fromEntries(variables)).toEqual(expected);
  expect(unclear).toEqual([]);
});

it.each<[string, string, number[], string[]]>([
  ["words without an equals sign", "A=1\nnonsense\nB=2", [2], ["A", "B"]],
  ["names that are none", "1A=1\nA-B=2\n=3", [1, 2, 3], []],
  ["a quote that is not closed", 'A=1\nB="x\nC=3', [2], ["A", "C"]],
  ["what comes after several lines", "A='1\n2\n3'\n?", [4], ["A"]],
])("dotenv lines: errors of %s are reported with the line", (_name, text, unclear, names) => {
  const read = readDotenv(text);
  expect(read.unclear).toEqual(unclear);
  expect([...read.variables.keys()]).toEqual(names);
});
