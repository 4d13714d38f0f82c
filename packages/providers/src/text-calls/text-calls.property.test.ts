import { numRuns } from "@harness/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tools } from "../../test/offered.ts";
import { MarkupFilter } from "./scan/markup-filter.ts";
import { readTextCalls } from "./scan/read-text-calls.ts";
import { ThinkSplitter } from "./thinking/think-splitter.ts";

const names = tools.map((tool) => tool.name);
const json = '{"name": "bash", "arguments": {"command": "rm -rf x"}}';

/** A complete call in each kind of wrapper, as in a file about tool calls. */
const blocks = [
  `<tool_call>\n${json}\n</tool_call>`,
  "<tool_call>\n<function=bash>\n<parameter=command>\nrm -rf x\n</parameter>\n</function>\n</tool_call>",
  "<tool_call>bash\n<arg_key>command</arg_key>\n<arg_value>rm -rf x</arg_value>\n</tool_call>",
  '<function=bash>{"command": "rm -rf x"}</function>',
  '<|python_start|>[bash(command="rm -rf x")]<|python_end|>',
  `<|python_tag|>${json}`,
  `[TOOL_CALLS][${json}]`,
  '[TOOL_CALLS]bash[ARGS]{"command": "rm -rf x"}',
  '<|channel|>commentary to=functions.bash<|message|>{"command": "rm -rf x"}<|call|>',
  '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>bash<｜tool▁sep｜>{"command": "rm"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  '<|tool_call_begin|>functions.bash:0<|tool_call_argument_begin|>{"command": "rm"}<|tool_call_end|>',
  `<|tool_call|>[${json}]`,
  `functools[${json}]`,
  `<tool_calls>\n${json}\n</tool_calls>`,
  '<minimax:tool_call><invoke name="bash"><parameter name="command">rm</parameter></invoke></minimax:tool_call>',
  `<|START_ACTION|>[${json}]<|END_ACTION|>`,
];

const block = fc.constantFrom(...blocks);
/** Lines of a file: words, code, fences of three and calls. */
const fileLine = fc.oneof(
  block,
  fc.constantFrom("", "# Title", "const x = `a`;", "```", "```json", json, 'it\'s "quoted"', "\tindented"),
  fc.string({ maxLength: 30 }).map((text) => text.replace(/[\r\n`~]/g, "")),
);
const file = fc.array(fileLine, { minLength: 1, maxLength: 12 }).map((lines) => lines.join("\n"));
const prose = fc.constantFrom("The file says:\n\n", "Here it is.\n", "", "`code` and words:\n\n");

describe("property: a call in a quotation does not count", () => {
  it("when it is in a fence longer than those of the file", () => {
    fc.assert(
      fc.property(prose, file, fc.constantFrom("md", "", "json", "tool_call"), (before, text, language) => {
        expect(readTextCalls(`${before}\`\`\`\`\`${language}\nquoted\n${text}\n\`\`\`\`\``, tools)).toBeUndefined();
      }),
    );
  });

  it("when it is in a fence that was never closed", () => {
    fc.assert(
      fc.property(prose, file, (before, text) => {
        expect(readTextCalls(`${before}\`\`\`\`\`md\n${text}`, tools)).toBeUndefined();
      }),
    );
  });

  it("when it is in quoted lines", () => {
    fc.assert(
      fc.property(prose, file, (before, text) => {
        const quoted = text.split("\n").map((line) => `> ${line}`);
        expect(readTextCalls(`${before}${quoted.join("\n")}`, tools)).toBeUndefined();
      }),
    );
  });

  it("when it is in indented lines", () => {
    fc.assert(
      fc.property(fc.constantFrom("It says:\n\n", "x\n"), file, (before, text) => {
        const indented = text.split("\n").map((line) => `    ${line}`);
        expect(readTextCalls(`${before}${indented.join("\n")}`, tools)).toBeUndefined();
      }),
    );
  });

  it("when text follows it", () => {
    fc.assert(
      fc.property(prose, block, fc.constantFrom("That was it.", "x", "and so on", "→ 1"), (before, quoted, after) => {
        const found = readTextCalls(`${before}${quoted}\n${after}`, tools);
        expect(found?.calls ?? []).toEqual([]);
      }),
    );
  });

  it("unless the same block is at the end, where it is a call", () => {
    fc.assert(
      fc.property(prose, block, (before, call) => {
        expect(readTextCalls(`${before}${call}`, tools)?.calls).toMatchObject([{ name: "bash" }]);
      }),
    );
  });
});

describe("property: the reader of prose", () => {
  it("never finds a call", () => {
    const word = fc.constantFrom(
      "bash",
      "read",
      "ls",
      "name",
      "tool",
      "(",
      ")",
      "[",
      "]",
      "{",
      "}",
      '"',
      ":",
      ",",
      "\n",
      "=",
      "`",
      "the",
      "Action:",
      "functools",
      "<b>",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string({ maxLength: 8 })), { maxLength: 60 }), (words) => {
        expect(readTextCalls(`So ${words.join(" ")}`, tools)).toBeUndefined();
      }),
      { numRuns: numRuns(500) },
    );
  });

  it("never throws, whatever follows a mark", () => {
    const piece = fc.oneof(
      block,
      fc.constantFrom(
        "<tool_call>",
        "[TOOL_CALLS]",
        "<|python_tag|>",
        "<function=bash>",
        "<|channel|>final",
        "read(",
        '{"name": "bash"',
        "[",
        "'",
        '"""',
        "\\",
      ),
      fc.string({ maxLength: 6, unit: "binary" }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        for (const call of readTextCalls(text, tools)?.calls ?? []) {
          expect(names).toContain(call.name.toLowerCase());
          expect(call.input === undefined).not.toBe(call.inputText === undefined);
        }
      }),
      { numRuns: numRuns(300) },
    );
  });
});

/** The text in pieces, cut at any position. */
function pieces(text: string, cuts: readonly number[]): string[] {
  const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((start, index) => text.slice(start, at[index] ?? text.length));
}

const cuts = fc.array(fc.nat(4000), { maxLength: 30 });
const reply = fc
  .array(fc.oneof(fileLine, fc.constantFrom("<think>", "</think>", "Words.", "<tool_call>", "{")), { maxLength: 10 })
  .map((lines) => lines.join("\n"));

describe("property: the deltas of a reply", () => {
  it("give the same thinking wherever they are cut", () => {
    const split = (deltas: readonly string[]) => {
      const splitter = new ThinkSplitter();
      const all = [...deltas.map((delta) => splitter.push(delta)), splitter.end()];
      return { text: all.map((each) => each.text).join(""), thinking: all.map((each) => each.thinking).join("") };
    };
    fc.assert(
      fc.property(fc.constantFrom("", "<think>", " <seed:think>"), reply, cuts, (start, text, at) => {
        expect(split(pieces(start + text, at))).toEqual(split([start + text]));
      }),
      { numRuns: numRuns(500) },
    );
  });

  it("show held text in the end, once", () => {
    fc.assert(
      fc.property(reply, cuts, (text, at) => {
        const held = new MarkupFilter(names);
        const shown = pieces(text, at).map((delta) => held.push(delta));
        expect(shown.join("") + held.end()).toBe(text);
      }),
      { numRuns: numRuns(1000) },
    );
  });

  it("show no markup of a call at the end before the end", () => {
    fc.assert(
      fc.property(prose, block, cuts, (before, call, at) => {
        const held = new MarkupFilter(names);
        const shown = pieces(before + call, at).map((delta) => held.push(delta));
        expect(shown.join("")).toBe(before);
        expect(held.end()).toBe(call);
      }),
      { numRuns: numRuns(500) },
    );
  });
});
