// The goal in the status row of the whole window.
import type { Hud } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { type FrameSize, frameOf, waitingChat } from "../../test/frame.ts";

const goal = {
  ...{ text: "npm test passes, without changed or skipped tests", state: "active" as const },
  ...{ checks: { used: 3, of: 20 }, usd: { used: 0.41, of: 2 } },
};

function statusRow(size: FrameSize, more: Partial<Hud>): string {
  const { hud } = waitingChat(size);
  const lines = frameOf(size, { hud: { ...hud, model: "qwen3", goal, ...more } as Hud });
  expect(lines).toHaveLength(size[1]);
  return lines.at(-1)?.trim().replace(/ {3,}/, " | ") ?? "";
}

describe("the goal in the status row", () => {
  it.each<[FrameSize, Partial<Hud>, string]>([
    [[80, 24], {}, "goal npm test passes, without ch… · 3/20 checks, $0.41/$2 · asks first | qwen3"],
    [
      [80, 24],
      { goal: { ...goal, text: "tests pass", state: "paused" } },
      "goal paused: tests pass · 3/20 checks, $0.41/$2 · asks first | qwen3",
    ],
    [[40, 10], {}, "goal npm test pa… · asks first | qwen3"],
    [[40, 10], { goal: { ...goal, text: "tests pass" } }, "goal tests pass · asks first | qwen3"],
    [
      [40, 10],
      { context: { usedTokens: 120_000, windowTokens: 128_000, windowSource: "server" } },
      "120k/128k (94%, nearly full)",
    ],
  ])("at %j with %j", (size, more, text) => {
    const shown = statusRow(size, more);
    expect(shown.length).toBeLessThanOrEqual(size[0]);
    expect(shown).toBe(text);
  });
});
