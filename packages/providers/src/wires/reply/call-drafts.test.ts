import { describe, expect, it } from "vitest";
import { CallDrafts, type CallPiece } from "./call-drafts.ts";

function drafts(taken: string[] = [], offered: string[] = []): CallDrafts {
  let made = 0;
  return new CallDrafts({ takenIds: () => new Set(taken), newId: () => `made_${++made}`, names: new Set(offered) });
}

/** A piece as `index id name text`, with `-` for what is not sent. */
function piece(short: string): CallPiece {
  const [index = "-", id = "-", name = "-", ...text] = short.split(" ");
  const said = (word: string) => (word === "-" ? "" : word);
  return { ...(index !== "-" && { index: Number(index) }), id: said(id), name: said(name), text: text.join(" ") };
}

function read(pieces: string[], taken?: string[]): string[] {
  const calls = drafts(taken);
  for (const each of pieces) calls.add(piece(each));
  return calls.finish().map((call) => {
    const input = call.input === undefined ? `text ${call.inputText}` : JSON.stringify(call.input);
    return `${call.toolCallId} ${call.name} ${input}`;
  });
}

describe("tool calls from pieces", () => {
  it.each<[string, string[], string[]]>([
    [
      "as the API says",
      ["0 a ls ", '0 - - {"p":', '0 - - "x"}', "1 b glob ", '1 - - {"q":1}'],
      ['a ls {"p":"x"}', 'b glob {"q":1}'],
    ],
    ["mixed", ["0 a ls ", "1 b glob ", '1 - - {"q":1}', '0 - - {"p":2}'], ['a ls {"p":2}', 'b glob {"q":1}']],
    ["all with index 0 but new ids", ['0 a ls {"p":1}', '0 b ls {"p":2}'], ['a ls {"p":1}', 'b ls {"p":2}']],
    ["without an index", ['- a ls {"p":', "- a - 1}", '- b ls {"p":2}'], ['a ls {"p":1}', 'b ls {"p":2}']],
    [
      "without index and id, whole",
      ['- - ls {"p":1}', '- - glob {"q":2}'],
      ['made_1 ls {"p":1}', 'made_2 glob {"q":2}'],
    ],
    [
      "the same tool twice, without ids",
      ['- - ls {"p":1}', '- - ls {"p":2}'],
      ['made_1 ls {"p":1}', 'made_2 ls {"p":2}'],
    ],
    ["with the name in every piece", ['0 a ls {"p":', "0 a ls 1", "0 a ls }"], ['a ls {"p":1}']],
    [
      "with the name in every piece and braces in the text",
      ['0 - ls {"p":"x}', '0 - ls {y\\"}', '0 - ls {"}', '0 - ls {"p":2}', '0 - ls {"p":[{}]}'],
      ['made_1 ls {"p":"x}{y\\"}{"}', 'made_2 ls {"p":2}', 'made_3 ls {"p":[{}]}'],
    ],
    ["without ids and arguments, all with index 0", ["0 - ls ", "0 - pwd "], ["made_1 ls {}", "made_2 pwd {}"]],
    ["with the name in every piece and no id", ['0 - ls {"p":', "0 - ls 1", "0 - ls }"], ['made_1 ls {"p":1}']],
    ["with another id in every piece, but one name", ["0 a ls {", '0 b - "p":1', "0 c - }"], ['a ls {"p":1}']],
    ["with the name in pieces", ["0 a li ", "0 - st_ ", "0 - dir ", '0 - - {"p":1}'], ['a list_dir {"p":1}']],
    ["with the rest under other indexes", ['0 a ls {"p":', '1 - - "x', '2 - - y"}'], ['a ls {"p":"xy"}']],
    [
      "with the rest under another index, and a call behind it",
      ["0 a ls ", '1 - - {"p":', "1 - - 1}", '2 b glob {"q":2}', "2 - - "],
      ['a ls {"p":1}', 'b glob {"q":2}'],
    ],
    ["with everything so far in each piece", ['0 a ls {"p"', '0 - - {"p":', '0 - - {"p":1}'], ['a ls {"p":1}']],
    ["with everything so far, name and id in each piece", ['0 a ls {"p":', '0 a ls {"p":1}'], ['a ls {"p":1}']],
    [
      "with everything so far, the name and another id in each piece",
      ['0 a ls {"p', '0 b ls {"p":', '0 c ls {"p":1', '0 d ls {"p":1}'],
      ['a ls {"p":1}'],
    ],
    ["whole and once more at another index", ['0 a ls {"p":1}', '1 a ls {"p":1}'], ['a ls {"p":1}']],
    [
      "once more in pieces, among others",
      ['0 a ls {"p":1}', '1 b ls {"p":1}', '2 a ls {"p"', "2 - - :1}", '3 a glob {"p":1}'],
      ['a ls {"p":1}', 'b ls {"p":1}', 'made_2 glob {"p":1}'],
    ],
    ["whole and then once more", ['0 a ls {"p":1}', '0 a ls {"p":1}'], ['a ls {"p":1}']],
    ["with an object like the one around it", ['0 a ls {"p":', '0 - - {"p":1}', "0 - - }"], ['a ls {"p":{"p":1}}']],
    ["with another id and the name in each piece", ['0 a ls {"p":', '0 b ls "x', '0 c ls y"}'], ['a ls {"p":"xy"}']],
    ["cut, and another call at its index", ['0 a ls {"p":', '0 b ls {"q":2}'], ['a ls text {"p":', 'b ls {"q":2}']],
    ["with the id first and the name later", ["0 a - ", '0 - ls {"p":1}'], ['a ls {"p":1}']],
    ["with the name first and the id later", ["0 - ls ", '0 a - {"p":1}'], ['made_1 ls {"p":1}']],
    ["with indexes that begin anywhere", ['3 a ls {"p":1}', '7 b ls {"p":2}'], ['a ls {"p":1}', 'b ls {"p":2}']],
    ["with one id for two calls", ['0 a ls {"p":1}', '1 a ls {"p":2}'], ['a ls {"p":1}', 'made_1 ls {"p":2}']],
    ["without arguments", ["0 a ls "], ["a ls {}"]],
    ["with blank arguments", ["0 a ls  \n "], ["a ls {}"]],
    [
      "with arguments that are not an object",
      ["0 a ls [1]", "1 b ls 5", "2 c ls null"],
      ["a ls text [1]", "b ls text 5", "c ls text null"],
    ],
    ["with broken arguments", ['0 a ls {"p":1,}'], ['a ls text {"p":1,}']],
    ["doubly encoded", ['0 a ls "{\\"p\\":1}"'], ['a ls text "{\\"p\\":1}"']],
    ["empty, without a name", ["0 a - ", '1 b ls {"p":1}'], ['b ls {"p":1}']],
    ["without a name", ['0 a - {"p":1}'], ['a unnamed {"p":1}']],
  ])("are put together %s", (_name, pieces, expected) => {
    expect(read(pieces)).toEqual(expected);
  });

  it.each<[string, string[], string[]]>([
    ["pieces of one name", ["0 a re ", "0 - ad_fi ", '0 - le {"p":1}'], ['a read_file {"p":1}']],
    ["pieces without any id", ["0 - read_ ", '0 - file {"p":1}'], ['made_1 read_file {"p":1}']],
    ["pieces without an index", ["- a read_ ", '- a file {"p":1}'], ['a read_file {"p":1}']],
    [
      "a name and the whole name of another tool",
      ["0 - ls ", '0 - read_file {"p":1}'],
      ["made_1 ls {}", 'made_2 read_file {"p":1}'],
    ],
    ["a beginning that is a tool's name itself", ["0 a read ", '0 - _file {"p":1}'], ['a read_file {"p":1}']],
    [
      "pieces of a name that nobody offered, under one id",
      ["0 a str_ ", '0 - replace {"p":1}'],
      ['a str_replace {"p":1}'],
    ],
  ])("have the name that was meant: %s", (_name, pieces, expected) => {
    const calls = drafts([], ["ls", "read", "read_file"]);
    const shown = pieces.flatMap((each) => calls.add(piece(each))?.name ?? []);
    expect(
      calls.finish().map(({ toolCallId, name, input }) => `${toolCallId} ${name} ${JSON.stringify(input)}`),
    ).toEqual(expected);
    expect(shown.at(-1)).toBe(calls.finish().at(-1)?.name);
    expect(shown.every((name) => ["ls", "read", "read_file", "str_replace"].includes(name))).toBe(true);
  });

  it("get a new id where theirs is taken or too long", () => {
    const long = "x".repeat(450);
    expect(read(["0 call_0 ls {}", `1 ${long} ls {}`, "2 fine ls {}"], ["call_0"])).toEqual([
      "made_1 ls {}",
      "made_2 ls {}",
      "fine ls {}",
    ]);
  });

  it("are announced as soon as the name is known", () => {
    const calls = drafts();
    expect(calls.add(piece("0 a - {"))).toBeUndefined();
    expect(calls.add(piece('0 - ls "p":'))).toEqual({ toolCallId: "a", name: "ls", text: '{"p":' });
    expect(calls.add(piece("0 - - 1}"))).toEqual({ toolCallId: "a", name: "ls", text: "1}" });
  });

  it("are put together from half a million pieces in linear time", () => {
    const calls = drafts();
    calls.add(piece('0 a write {"text":"'));
    for (let count = 0; count < 500_000; count += 1) calls.add({ index: 0, id: "", name: "", text: "x" });
    calls.add(piece('0 - - "}'));
    expect(calls.finish()[0]?.input).toEqual({ text: "x".repeat(500_000) });
  });
});
