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

  const described = (lengths: readonly number[]) =>
    lengths.map((length, n) => ({
      name: `skill-${n}`,
      description: "Does one thing well. ".repeat(60).slice(0, length),
    }));
  const small = (lengths: readonly number[]) => {
    const { maxSkillChars: chars, size } = promptBudget(8_192);
    return catalogueText(described(lengths), { chars, isBrief: size === "small" }).split("\n");
  };

  it("has descriptions in a small context window too", () => {
    expect(small([60, 60])).toEqual([
      "Skills (load with `skill`):",
      `- skill-0: ${described([60])[0]?.description}`,
      `- skill-1: ${described([60])[0]?.description}`,
    ]);
  });

  it("cuts the long ones alike there, and leaves the short ones whole", () => {
    const lines = small([400, 20, 300, 400]);
    expect(lines.join("\n").length).toBeLessThanOrEqual(promptBudget(8_192).maxSkillChars);
    const [long = "", short, other = "", last = ""] = lines.slice(1);
    expect(short).toBe("- skill-1: Does one thing well.");
    expect([long.length, other.length, last.length]).toEqual([long.length, long.length, long.length]);
    expect(long).toMatch(/^- skill-0: Does one thing well\. Does one thing well\..*…$/);
  });

  it("says who has the descriptions where there is no room for any", () => {
    expect(small(Array.from({ length: 12 }, () => 400)).join("\n")).toMatch(
      /^Skills \(`skill` loads one, or lists what they are for\): skill-0, skill-1, .*skill-11$/,
    );
  });

  it("cuts descriptions to the same share before it leaves any out", () => {
    const lines = text(40, 1_000, 128_000).split("\n").slice(1);
    expect(lines.length).toBe(40);
    expect(new Set(lines.map((line) => line.length - line.indexOf(":"))).size).toBe(1);
    expect(lines.every((line) => line.endsWith("…"))).toBe(true);
  });
});
