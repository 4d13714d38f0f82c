import { numRuns } from "@harness/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { frontmatterText, readFrontmatter } from "./frontmatter.ts";

function fieldsOf(lines: string): unknown {
  const read = readFrontmatter(`---\n${lines}\n---\nbody`);
  if ("problem" in read) return read.problem;
  if (read.unread.size > 0) return Object.fromEntries(read.unread);
  return Object.fromEntries(
    [...read.fields].map(([key, value]) => [key, value instanceof Map ? Object.fromEntries(value) : value]),
  );
}

describe("frontmatter", () => {
  it.each<[string, string, unknown]>([
    ["plain texts", "name: a\nmax_turns: 5", { name: "a", max_turns: "5" }],
    ["prose with colons and quotes", 'description: Use it when: "x" # not', { description: 'Use it when: "x" # not' }],
    ["a text over several lines", "description: one\n  two\n  three", { description: "one two three" }],
    ["double quotes with escapes", 'name: "a \\"b\\" \\n c"', { name: 'a "b" \n c' }],
    ["double quotes with an escape of YAML alone", 'name: "a\\_b"', { name: "a_b" }],
    ["single quotes", "name: 'it''s'", { name: "it's" }],
    ["a list in one line", 'tools: [read, "bash(a, b)", grep ]', { tools: ["read", "bash(a, b)", "grep"] }],
    ["an empty list", "tools: []", { tools: [] }],
    ["a list below", "tools:\n  - read\n  - 'grep'", { tools: ["read", "grep"] }],
    ["a list below without indent", "tools:\n- read\n- grep\nname: x", { tools: ["read", "grep"], name: "x" }],
    ["texts by name below", "limits:\n  turns: 5\n  usd: 0.5", { limits: { turns: "5", usd: "0.5" } }],
    ["texts by name in one line", "limits: {turns: 5, usd: 0.5}", { limits: { turns: "5", usd: "0.5" } }],
    ["a block of lines", "prompt: |\n  one\n    two\n\n  three\nname: x", { prompt: "one\n  two\n\nthree", name: "x" }],
    ["a folded block", "prompt: >-\n  one\n  two\n\n  three", { prompt: "one two\n\nthree" }],
    ["a comment behind plain words", "description: Makes PDFs # since May", { description: "Makes PDFs" }],
    ["a comment behind quotes", `a: "x # y" # z\nb: 'it''s' # c`, { a: "x # y", b: "it's" }],
    ["comments behind lists and their items", "a: [x, y] # c\nb:\n  - z # d\n", { a: ["x", "y"], b: ["z"] }],
    ["a comment behind a block's mark", "a: > # c\n  one\n  two # not\n", { a: "one two # not" }],
    ["comments in lines that go on", "a: one # c\n  two # d\n", { a: "one two" }],
    ["a sharp that is not a comment", "a: C# and F#\nb: issue#12", { a: "C# and F#", b: "issue#12" }],
    ["comments and empty lines", "# c\n\nname: x\n  # d\n", { name: "x" }],
    ["nothing", "", {}],
    ["an empty value", "tools:\nname: x", { tools: "", name: "x" }],
    ["a line that is none", "name: x\nwhat is this", 'line 3: expected a line such as "name: reviewer"'],
    ["a key twice", "name: x\nname: y", "line 3: duplicate key name"],
    ["lines below that are neither", "limits:\n  - a\n  b", { limits: "line 2: the value of limits cannot be read" }],
  ])("frontmatter may hold %s", (_what, lines, wanted) => {
    expect(fieldsOf(lines)).toEqual(wanted);
  });

  it("frontmatter may be missing, have a byte order mark and lines of other systems, and must be closed", () => {
    expect(readFrontmatter("# Title\ntext")).toEqual({ fields: new Map(), unread: new Map(), body: "# Title\ntext" });
    expect(readFrontmatter("\ufeff---\r\nname: x\r\n---\r\nbody\r\n")).toEqual({
      fields: new Map([["name", "x"]]),
      unread: new Map(),
      body: "body\n",
    });
    expect(readFrontmatter("---\nname: x\n")).toEqual({ problem: "line 1: the frontmatter has no closing ---" });
    expect(readFrontmatter("---\nname: x\n---\nbody\n---\nmore")).toMatchObject({ body: "body\n---\nmore" });
  });

  it.each(["a\t", "\u0905\t", "a\u2028b", "a\u2029", "a\u0085", "a\u00a0", "a\ufeff", "\u007f", "a\tb: c", "\ud800"])(
    "frontmatter gives back %j",
    (text) => {
      expect(fieldsOf(`name: ${frontmatterText(text)}`)).toEqual({ name: text });
      expect(fieldsOf(`name: ${JSON.stringify(text)}`)).toEqual({ name: text });
    },
  );

  it("frontmatter gives back every text that was written into it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(fieldsOf(`name: ${frontmatterText(text)}`)).toEqual({ name: text });
      }),
      { numRuns: numRuns(100) },
    );
  });

  it("frontmatter of any content is read or refused", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", ":", " ", "-", '"', "'", "[", "]", "{", "}", "|", "\n", "\\", ",", "#")),
        (parts) => {
          const read = readFrontmatter(`---\n${parts.join("")}\n---\n`);
          expect("problem" in read || read.fields instanceof Map).toBe(true);
        },
      ),
    );
  });
});
