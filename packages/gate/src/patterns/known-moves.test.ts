import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rememberMoves } from "./known-moves.ts";
import { anyOfName, WildcardPattern, type WildPart } from "./wildcard.ts";

const part = fc.constantFrom<WildPart>(
  { kind: "one", fits: "a" },
  { kind: "one", fits: "é" },
  { kind: "one", fits: anyOfName },
  { kind: "run", within: true },
  { kind: "run", within: false },
  { kind: "folders" },
);
/** Short patterns fit into one word of bits, long ones need several. */
const parts = fc.oneof(fc.array(part, { maxLength: 8 }), fc.array(part, { minLength: 30, maxLength: 40 }));
const text = fc.array(fc.constantFrom("a", "b", "/", "é", "😀", "\n"), { maxLength: 12 }).map((each) => each.join(""));

describe("rememberMoves", () => {
  it("reaches what a comparison from character to character reaches", async () => {
    await fc.assert(
      fc.property(parts, fc.array(text, { minLength: 1, maxLength: 6 }), (wild, texts) => {
        const plain = new WildcardPattern(wild);
        const moves = rememberMoves((from, char) => new WildcardPattern(wild).advance(from, char));
        for (const each of texts) {
          const reached = moves(plain.start(), each);
          expect([...reached]).toEqual([...new WildcardPattern(wild).advance(plain.start(), each)]);
        }
      }),
    );
  });

  it("stays right where there are more places than it remembers", () => {
    const wild: WildPart[] = Array.from({ length: 14 }, (_, at) =>
      at % 2 === 0 ? { kind: "run", within: true } : { kind: "one", fits: at % 4 === 1 ? "a" : anyOfName },
    );
    const compared = new WildcardPattern(wild);
    let [seed, compareds] = [1, 0];
    for (let n = 0; n < 2000; n += 1) {
      seed = (seed * 48271) % 2147483647;
      const name = seed.toString(2).replaceAll("0", "a").replaceAll("1", "b");
      const isFresh = new WildcardPattern(wild).test(name);
      expect(compared.test(name), name).toBe(isFresh);
      compareds += isFresh ? 1 : 0;
    }
    expect(compareds).toBeGreaterThan(0);
  });
});
