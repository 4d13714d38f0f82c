import { describe, expect, it } from "vitest";
import { promptBudget } from "../prompt-budget.ts";
import { catalogueText } from "./skill-catalogue.ts";

const skills = (count: number, length: number) =>
  Array.from({ length: count }, (_, n) => ({
    name: `skill-${n}`,
    description: `${n} `.repeat(length).slice(0, length),
  }));
const text = (count: number, length: number, window: number) => {
  const { maxSkillChars: chars, size } = promptBudget(window);
  return catalogueText(skills(count, length), { chars, isBrief: size === "small" });
};

describe("the list of skills for the model", () => {
  it("is nothing where there are none", () => {
    expect(text(0, 0, 128_000)).toBe("");
  });

  it("has their descriptions where there is room", () => {
    expect(catalogueText([{ name: "pdf", description: "Reads PDF." }], { chars: 5_000, isBrief: false })).toBe(
      "Skills: instructions for kinds of tasks. Load one with `skill` before such a task.\n- pdf: Reads PDF.",
    );
  });

  it.each([4_096, 8_192, 16_384, 32_768, 128_000, 1_000_000])(
    "takes no more than a hundredth of a context window of %d, however many there are, and counts what is left out",
    (window) => {
      for (const [count, length] of [
        [3, 50],
        [40, 1_000],
        [2_000, 300],
      ] as const) {
        const catalogue = text(count, length, window);
        expect(catalogue.length).toBeLessThanOrEqual(Math.max(window / 25, 100));
        const named = catalogue.match(/skill-\d+/g) ?? [];
        const [, left = "0"] = /(\d+)(?: more)?, which it lists$/.exec(catalogue) ?? [];
        expect(new Set(named).size + Number(left)).toBe(count);
      }
    },
  );

  it("cuts descriptions to the same share before it leaves any out", () => {
    const lines = text(40, 1_000, 128_000).split("\n").slice(1);
    expect(lines.length).toBe(40);
    expect(new Set(lines.map((line) => line.length - line.indexOf(":"))).size).toBe(1);
    expect(lines.every((line) => line.endsWith("…"))).toBe(true);
  });
});
