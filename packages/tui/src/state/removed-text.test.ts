import { describe, expect, it } from "vitest";
import { type ComposerState, cleared, emptyComposer, messageOf, pasteText, withBuffer } from "./composer.ts";
import { killed, stashed, yanked } from "./removed-text.ts";

const typed = (text: string, composer: ComposerState = emptyComposer): ComposerState =>
  withBuffer(composer, composer.buffer.insert(text));
const back = (composer: ComposerState) => killed(composer, composer.buffer.deleteWordBack());

describe("a text that was deleted", () => {
  it("comes back at the cursor", () => {
    const composer = back(typed("one two"));
    expect(composer.buffer.text).toBe("one ");
    expect(yanked(yanked(composer)).buffer.text).toBe("one twotwo");
  });

  it("is one text with what was deleted right before and after it", () => {
    expect(yanked(back(back(typed("one two three")))).buffer.text).toBe("one two three");
    const start = withBuffer(typed("a b"), typed("a b").buffer.lineStart());
    const both = killed(killed(start, start.buffer.deleteWordForward()), start.buffer.deleteToLineEnd());
    expect(both.buffer.text).toBe("");
    expect(yanked(both).buffer.text).toBe("a b");
  });

  it("is a new one after anything was typed between", () => {
    const composer = back(typed(" more", back(typed("one two"))));
    expect(yanked(composer).buffer.text).toBe("one  more");
    expect(composer.killed?.text).toBe("more");
  });

  it("survives sending, and a long paste comes back whole", () => {
    const long = "line\n".repeat(30);
    const paste = pasteText(typed("see "), long);
    const composer = cleared(killed(paste, paste.buffer.deleteToLineStart()));
    expect(messageOf(yanked(composer))).toBe(`see ${long}`);
  });

  it("takes a chip whole, as a part of it would stand for nothing", () => {
    const long = "line\n".repeat(30);
    const composer = back(pasteText(typed("see "), long));
    expect(composer.buffer.text).toBe("see ");
    expect(messageOf(yanked(composer))).toBe(`see ${long}`);
  });

  it("is none as long as nothing was deleted", () => {
    expect(yanked(emptyComposer)).toBe(emptyComposer);
    expect(killed(emptyComposer, emptyComposer.buffer.deleteWordBack())).toBe(emptyComposer);
  });
});

describe("a draft that is put aside", () => {
  it("leaves the input empty and comes back, the newest first", () => {
    const two = stashed(typed("second", stashed(typed("first"))));
    expect([two.buffer.text, two.stashed]).toEqual(["", ["first", "second"]]);
    const one = stashed(two);
    expect([one.buffer.text, one.stashed]).toEqual(["second", ["first"]]);
    expect(stashed(emptyComposer)).toBe(emptyComposer);
  });

  it("keeps a long paste whole", () => {
    const long = "line\n".repeat(30);
    expect(messageOf(stashed(stashed(pasteText(typed("see "), long))))).toBe(`see ${long}`);
  });
});
