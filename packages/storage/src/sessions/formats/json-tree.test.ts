import { describe, expect, it } from "vitest";
import { type FieldPath, MAX_JSON_DEPTH, mapTexts, parseForeignJson } from "./json-tree.ts";

const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${"}]".repeat(depth / 2)}`;

describe("JSON of anybody", () => {
  it("is refused where it is nested too deeply, whatever its texts have", () => {
    expect(parseForeignJson(nested(MAX_JSON_DEPTH))).toBeInstanceOf(Array);
    expect(() => parseForeignJson(nested(MAX_JSON_DEPTH + 2))).toThrow("too deeply");
    expect(() => parseForeignJson("[".repeat(1_000_000))).toThrow("too deeply");
    const text = { "[[": `${"[".repeat(2000)}\\"${"{".repeat(2000)}` };
    expect(parseForeignJson(JSON.stringify(text))).toEqual(text);
  });
});

describe("changed texts", () => {
  it("keep the shape, the order and odd names of a value of any depth", () => {
    const value = JSON.parse('{"b":["x",{"a":"y"},null,7],"__proto__":{"z":"x"},"a":{}}');
    const seen: string[] = [];
    const copy = mapTexts(value, (text, place) => {
      const path = [text];
      for (let at: FieldPath | undefined = place; at; at = at.outer) path.unshift(at.field);
      seen.push(path.join("."));
      return text.toUpperCase();
    });
    expect(JSON.stringify(copy)).toBe('{"b":["X",{"a":"Y"},null,7],"__proto__":{"z":"X"},"a":{}}');
    expect(seen.sort()).toEqual([".__proto__.z.x", ".b.a.y", ".b.x"]);
    let deep: unknown = "x";
    for (let depth = 0; depth < 100_000; depth += 1) deep = depth % 2 ? [deep] : { in: deep };
    let inside = mapTexts(deep, () => "changed");
    while (typeof inside === "object") inside = Object.values(Object(inside))[0];
    expect(inside).toBe("changed");
  });

  it("may be names of fields", () => {
    expect(
      mapTexts(
        { a: [{ b: "c" }] },
        (text) => `${text}!`,
        (field) => `${field}?`,
      ),
    ).toEqual({
      "a?": [{ "b?": "c!" }],
    });
  });
});
