import { describe, expect, it } from "vitest";
import { tokenCount } from "./token-count.ts";

describe("tokenCount", () => {
  it.each([
    [0, "0"],
    [999, "999"],
    [1000, "1k"],
    [4096, "4.1k"],
    [12_300, "12.3k"],
    [131_072, "131.1k"],
    [999_949, "1000k"],
    [1_200_000, "1.2M"],
  ])("%i is %s", (count, text) => {
    expect(tokenCount(count)).toBe(text);
  });
});
