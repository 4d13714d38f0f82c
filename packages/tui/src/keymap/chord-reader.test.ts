import { describe, expect, it } from "vitest";
import { InputParser } from "../input/index.ts";
import { ChordReader } from "./chord-reader.ts";
import { keyLabel, keyName } from "./key-name.ts";

/** The names of the keys that are left to look up, "paste" for a paste. */
function read(bytes: string, keys = ["ctrl+x e", "ctrl+x a", "ctrl+o"]): string[] {
  const reader = new ChordReader(keys);
  const names: string[] = [];
  const parser = new InputParser({
    onEvent(event) {
      const left = reader.take(event);
      if (left) names.push(left.type === "key" ? keyName(left) : left.type);
    },
  });
  parser.push(Buffer.from(bytes));
  return names;
}

describe("two keys after each other", () => {
  it.each([
    ["a letter", "\u0018e", ["ctrl+x e"]],
    ["the same letter with Ctrl", "\u0018\u0005", ["ctrl+x e"]],
    ["a capital letter", "\u0018E", ["ctrl+x e"]],
    ["a letter that means nothing", "\u0018qe", ["ctrl+x q", "e"]],
    ["a Cyrillic letter on its key", "\u0018у", ["ctrl+x e"]],
    ["a Greek one", "\u0018α", ["ctrl+x a"]],
    ["a Hebrew one", "\u0018ש", ["ctrl+x a"]],
    ["one on a key that means nothing", "\u0018ж", ["ctrl+x ж"]],
    ["after a Cyrillic first key", "\u001b[27;5;1095~у", ["ctrl+x e"]],
    ["the first key again", "\u0018\u0018e", ["ctrl+x x", "e"]],
    ["Ctrl+C, which interrupts", "\u0018\u0003e", ["ctrl+c", "e"]],
    ["a paste", "\u0018\u001b[200~text\u001b[201~e", ["paste", "e"]],
    ["the focus, which is not a key", "\u0018\u001b[Ie", ["focus", "ctrl+x e"]],
    ["a cursor key", "\u0018\u001b[A", ["ctrl+x up"]],
  ])("are one where the second is %s", (_, bytes, names) => {
    expect(read(bytes)).toEqual(names);
  });

  it("are begun by no key that begins no chord", () => {
    expect(read("\u0018e", ["ctrl+o", "e"])).toEqual(["ctrl+x", "e"]);
  });

  it("type nothing", () => {
    const reader = new ChordReader(["ctrl+x e"]);
    const key = { type: "key", alt: false, shift: false, meta: false } as const;
    expect(reader.take({ ...key, name: "x", text: "", ctrl: true })).toBeUndefined();
    expect(reader.begun).toBe("ctrl+x");
    expect(reader.take({ ...key, name: "e", text: "e", ctrl: false })).toMatchObject({ name: "ctrl+x e", text: "" });
    expect(reader.begun).toBeUndefined();
  });

  it("are forgotten after Escape", () => {
    const reader = new ChordReader(["ctrl+x e"]);
    const key = { type: "key", text: "", alt: false, shift: false, meta: false } as const;
    reader.take({ ...key, name: "x", ctrl: true });
    expect(reader.take({ ...key, name: "escape", ctrl: false })).toBeUndefined();
    expect(reader.begun).toBeUndefined();
  });

  it("are written as people do", () => {
    expect(keyLabel("ctrl+x e")).toBe("Ctrl+X E");
  });
});
