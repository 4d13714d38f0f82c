import { sample } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { globParts } from "./glob-parts.ts";

describe("a pattern for files", () => {
  it.each(sample(["[", "[!", "[[:a", "[[:"], 1))(
    "of very many brackets that do not close is taken apart all the same: %s",
    (text) => {
      const pattern = text.repeat(60_000 / text.length);
      expect(globParts(pattern, "itself")).toHaveLength(pattern.length);
      expect(globParts(pattern, "nothing")).toBeUndefined();
    },
  );

  it("has the classes of shells", () => {
    const fits = (pattern: string) => {
      const [part] = globParts(pattern, "itself") ?? [];
      return part?.kind === "one" && typeof part.fits === "function" ? [..."aB1]-:"].filter(part.fits).join("") : "";
    };
    expect(fits("[[:alpha:]]")).toBe("aB");
    expect(fits("[![:alpha:]]")).toBe("1]-:");
    expect(fits("[]a]")).toBe("a]");
    expect(fits("[a-]")).toBe("a-");
  });
});
