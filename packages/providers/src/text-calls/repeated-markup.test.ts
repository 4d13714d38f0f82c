import { describe, expect, it } from "vitest";
import { tools } from "../../test/offered.ts";
import { repeatedMarkup } from "../../test/repeated-markup.ts";
import { MarkupFilter } from "./scan/markup-filter.ts";
import { readTextCalls } from "./scan/read-text-calls.ts";

const names = tools.map((tool) => tool.name);

describe("repeated markup", () => {
  it.each(repeatedMarkup)("is read from %j, and shown in full when it is streamed", (piece) => {
    const text = piece.repeat(Math.ceil(4096 / piece.length));
    expect(() => readTextCalls(`${text} x`, tools)).not.toThrow();
    for (const size of [7, text.length]) {
      const held = new MarkupFilter(names);
      let shown = 0;
      for (let at = 0; at < text.length; at += size) shown += held.push(text.slice(at, at + size)).length;
      expect(shown + held.end().length).toBe(text.length);
    }
  });
});
