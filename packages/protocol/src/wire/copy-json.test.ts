import { describe, expect, it } from "vitest";
import { copyJson } from "./copy-json.ts";

describe("copyJson", () => {
  it.each<[string, unknown]>([
    ["plain values", { text: "grüße 😀", number: 1.5, yes: true, nothing: null, list: [1, [2], {}], empty: {} }],
    ["members without a JSON form", { gone: undefined, method: () => 1, symbol: Symbol("s"), kept: 1 }],
    ["list items without a JSON form", [undefined, () => 1, Symbol("s"), 1]],
    ["numbers without a JSON form", [Number.NaN, Number.POSITIVE_INFINITY, -0]],
    ["what has toJSON", { at: new Date(0), url: new URL("file:///tmp") }],
    ["a member named __proto__", JSON.parse('{"__proto__":{"polluted":true},"a":1}')],
    ["an object without a prototype", Object.assign(Object.create(null), { a: 1 })],
    ["inherited members", Object.create({ inherited: 1 }, { own: { value: 2, enumerable: true } })],
    ["nothing at all", undefined],
  ])("gives what JSON gives for %s", (_name, value) => {
    const text = JSON.stringify(value);
    expect(copyJson(value)).toStrictEqual(text === undefined ? undefined : JSON.parse(text));
  });

  it("pollutes no prototype", () => {
    const copied = copyJson(JSON.parse('{"__proto__":{"polluted":true}}')) as { polluted?: boolean };
    expect(copied.polluted).toBeUndefined();
    expect(Object.hasOwn(copied, "__proto__")).toBe(true);
  });

  it("shares nothing with the original", () => {
    const original = { list: [{ a: 1 }] };
    const copied = copyJson(original);
    original.list.push({ a: 2 });
    expect(copied).toEqual({ list: [{ a: 1 }] });
  });

  it("replaces half surrogate pairs", () => {
    expect(copyJson(["a\ud83d", "😀"])).toEqual(["a\ufffd", "😀"]);
  });

  it("throws a TypeError where JSON does", () => {
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    expect(() => copyJson(cycle)).toThrow(TypeError);
    expect(() => copyJson({ a: 1n })).toThrow(TypeError);
  });
});
