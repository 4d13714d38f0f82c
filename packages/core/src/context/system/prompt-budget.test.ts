import { describe, expect, it } from "vitest";
import { writtenSystem } from "../../../test/written-system.ts";
import type { InstructionFile } from "../../ports/workspace.ts";
import { promptBudget } from "./prompt-budget.ts";
import { fittedFiles } from "./sections/fitted-files.ts";
import { instructionText } from "./sections/instruction-files.ts";

describe("the prompt budget", () => {
  it.each([
    [2_048, "small", 682],
    [4_096, "small", 1_365],
    [8_192, "small", 1_500],
    [8_193, "medium", 2_731],
    [16_384, "medium", 4_000],
    [32_768, "medium", 4_000],
    [32_769, "large", 8_000],
    [63_999, "large", 8_000],
    [64_000, "ample", 8_000],
    [1_000_000, "ample", 8_000],
  ])("the prompt budget of %d tokens is %s, at most %d", (contextWindow, size, tokens) => {
    expect(promptBudget(contextWindow)).toMatchObject({ size, maxChars: tokens * 4 });
  });
});

it.each([4_096, 8_192, 16_384, 32_768, 65_536, 128_000])(
  "all that people may put before a conversation leaves it room below the mark of a compaction, in a context window of %d",
  (contextWindow) => {
    const { maxChars, maxPinnedChars, maxSkillChars, maxMapChars } = promptBudget(contextWindow);
    const usable = contextWindow - Math.min(4_096, contextWindow / 4);
    expect((maxChars + maxPinnedChars + maxSkillChars + maxMapChars) / 4).toBeLessThan(usable * 0.8);
  },
);

describe("instruction files", () => {
  const file = (path: string, length: number) => ({ path, text: `${path} `.repeat(length).slice(0, length) });
  const fittingFiles = (files: readonly InstructionFile[], room: number) =>
    fittedFiles(files.map(instructionText), room, "instruction file").map(({ text }) => text);
  const total = (texts: string[]) => texts.reduce((sum, text) => sum + text.length + 2, 0);

  it("instruction files are whole where there is room", () => {
    expect(fittingFiles([{ path: "/a", text: " x\n" }], 100)).toEqual(["Instructions from /a:\nx"]);
    expect(fittingFiles([], 0)).toEqual([]);
  });

  it.each([300, 1_000, 2_000, 4_000, 9_000])(
    "instruction files share %d characters, and say what is missing",
    (room) => {
      const texts = fittingFiles(
        [file("/AGENTS.md", 8_000), file("/w/AGENTS.md", 300), file("/w/x/AGENTS.md", 8_000)],
        room,
      );
      expect(total(texts)).toBeLessThanOrEqual(room);
      const all = texts.join("\n");
      for (const path of ["/AGENTS.md", "/w/AGENTS.md", "/w/x/AGENTS.md"]) expect(all).toContain(path);
      expect(all).toMatch(/read \/w\/x\/AGENTS\.md before|Instructions are in \/w\/x\/AGENTS\.md/);
    },
  );

  it("instruction files keep the short one whole when long ones are cut", () => {
    const texts = fittingFiles([file("/AGENTS.md", 8_000), { path: "/w/AGENTS.md", text: "Be brief." }], 2_000);
    expect(texts[1]).toBe("Instructions from /w/AGENTS.md:\nBe brief.");
    expect(texts[0]).toMatch(/characters left out for lack of room: read \/AGENTS\.md before you change anything\]$/);
  });

  it("instruction files are counted where there is no room even for their names", () => {
    const many = Array.from({ length: 50 }, (_, n) => file(`/w/${n}/AGENTS.md`, 5_000));
    const texts = fittingFiles(many, 400);
    expect(texts[0]).toMatch(/^\d+ more instruction files were left out/);
    expect(texts.at(-1)).toContain("/w/49/AGENTS.md");
    expect(total(texts)).toBeLessThan(500);
  });
});

describe("the system text", () => {
  const workspace = {
    root: "/home/someone/projects/a-service",
    git: { branch: "feature/longer-name", changedFiles: 12 },
    entries: Array.from({ length: 50 }, (_, n) => `some-folder-${n}/`),
    moreEntries: 70,
    platform: "linux",
    shell: "bash",
    temporaryFolder: "/tmp",
  };
  const given = {
    workspace: async () => workspace,
    instructionFiles: async () => [
      { path: "/home/someone/.config/harness/AGENTS.md", text: "g".repeat(20_000) },
      { path: "/home/someone/projects/a-service/AGENTS.md", text: "l".repeat(20_000) },
    ],
  };

  it.each([4_096, 8_192, 32_768, 128_000])(
    "the system text keeps to its limit in a context window of %d, whatever lies in the folder",
    async (contextWindow) => {
      const budget = promptBudget(contextWindow);
      const toolChars = budget.size === "small" ? 2_300 : 3_400;
      const { text } = await writtenSystem({ ...given, mode: "planning", contextWindow, toolChars });
      expect(text.length + toolChars).toBeLessThanOrEqual(budget.maxChars);
      expect(text).toContain("/home/someone/projects/a-service/AGENTS.md");
      expect(text).toMatch(/… \(\d+ more; list the folder to see them\)/);
    },
  );

  it("the system text never cuts the person's own texts", async () => {
    const customInstructions = "Always answer in verse. ".repeat(500);
    const { text } = await writtenSystem({ ...given, customInstructions, contextWindow: 8_192, toolChars: 2_000 });
    expect(text.startsWith(customInstructions.trim())).toBe(true);
    expect(text).toContain("2 more instruction files were left out for lack of room.");
  });

  it("the system text shows fewer entries where their names are long", async () => {
    const entries = Array.from({ length: 20 }, (_, n) => `${"x".repeat(100)}${n}`);
    const long = { ...given, workspace: async () => ({ ...workspace, entries }) };
    const { text } = await writtenSystem({ ...long, contextWindow: 8_192, toolChars: 0 });
    expect(text).toContain("… (87 more; list the folder to see them)");
  });
});
