// The number of mistakes in the status row of the whole window.
import type { Hud } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { type FrameSize, frameOf, waitingChat } from "../../test/frame.ts";

const sizes: readonly FrameSize[] = [
  [80, 24],
  [40, 10],
];

function statusRow(size: FrameSize, more: Partial<Hud>): string {
  const { hud } = waitingChat(size);
  const lines = frameOf(size, { hud: { ...hud, model: "qwen3", ...more } as Hud });
  expect(lines).toHaveLength(size[1]);
  return lines.at(-1) ?? "";
}

describe.each(sizes)("at %i×%i", (...size) => {
  it.each([
    [0, 0, undefined],
    [0, 1, "1 warning"],
    [0, 120, "120 warnings"],
    [1, 0, "1 error"],
    [1, 120, "1 error"],
    [120, 7, "120 errors"],
  ])("%i errors and %i warnings", (errors, warnings, words) => {
    const count = errors + warnings > 0 ? { diagnostics: { errors, warnings } } : {};
    const text = statusRow(size, count);
    const found = /\d+ (?:error|warning)s?/.exec(text)?.[0];
    expect(found).toBe(words);
    expect(text).toContain("asks first");
    expect(text).toContain("qwen3");
  });

  it("gives way to what is more important, and never makes the row too long", () => {
    const text = statusRow(size, {
      git: { branch: "topic/a-branch-of-forty-letters-or-more-xyz", added: 1200, removed: 340, changedFiles: 20 },
      context: { usedTokens: 120_000, windowTokens: 128_000, windowSource: "server" },
      diagnostics: { errors: 120, warnings: 0 },
    });
    expect(text.length).toBeLessThanOrEqual(size[0]);
    expect(text).toContain("nearly full");
    expect(text).not.toContain("error");
  });
});
