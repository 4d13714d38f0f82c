import type { Hud } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { shortCount } from "../figures/short-count.ts";
import { usualKeymap } from "../keymap/keymap.ts";
import { stringWidth } from "../text/index.ts";
import { textOfRow } from "../text/style.ts";
import { type HudRowOptions, hudRow, leaveText } from "./hud-row.ts";

const hud: Hud = {
  git: { branch: "main", added: 12, removed: 3, changedFiles: 2 },
  context: { usedTokens: 12_300, windowTokens: 32_768, windowSource: "server" as const },
  provider: "openrouter",
  model: "anthropic/claude-sonnet-4",
  permissionMode: "default" as const,
  agentsRunning: 1,
  queued: 2,
};

const clean = { branch: "main", added: 0, removed: 0, changedFiles: 0 };

/** The row with its two ends, which are as far apart as possible. */
const shown = (row: Parameters<typeof hudRow>[0], columns: number, options?: HudRowOptions): string => {
  const text = textOfRow(hudRow(row, columns, options));
  expect(stringWidth(text)).toBeLessThanOrEqual(columns);
  return text.trim().replace(/ {3,}/, " | ");
};

describe("hudRow", () => {
  it.each([
    [120, "main · +12 −3 · asks first · 2 queued · 1 agent | claude-sonnet-4 · 12k/33k (38%)"],
    [82, "main · asks first · 2 queued · 1 agent | claude-sonnet-4 · 12k/33k (38%)"],
    [60, "main · asks first | claude-sonnet-4 · 12k/33k (38%)"],
    [50, "main | claude-sonnet-4 · 12k/33k (38%)"],
    [38, "main | 12k/33k (38%)"],
    [20, "12k/33k (38%)"],
  ])(
    "has git at its beginning and the model at its end, and drops the least important at %i columns",
    (columns, text) => {
      expect(shown(hud, columns)).toBe(text);
      if (columns > 60) expect(textOfRow(hudRow(hud, columns)).length).toBe(columns - 1);
    },
  );

  it.each([
    [200, `${"x".repeat(69)}${"y".repeat(69)} ↑1 · asks first | claude-sonnet-4 · 12k/29k (43%)`],
    [118, `${"x".repeat(33)}…${"y".repeat(32)} ↑1 · asks first | claude-sonnet-4 · 12k/29k (43%)`],
    [60, `${"x".repeat(5)}…${"y".repeat(4)} ↑1 | claude-sonnet-4 · 12k/29k (43%)`],
    [36, `${"x".repeat(5)}…${"y".repeat(4)} ↑1 | 12k/29k (43%)`],
  ])(
    "shortens a long branch in its middle at %i columns, and shows the share that compaction goes by",
    (columns, text) => {
      const git = { ...clean, branch: `${"x".repeat(69)}${"y".repeat(69)}`, ahead: 1 };
      const context = {
        usedTokens: 12_300,
        windowTokens: 32_768,
        usableTokens: 28_672,
        windowSource: "server" as const,
      };
      expect(shown({ ...hud, git, context, agentsRunning: 0, queued: 0 }, columns)).toBe(text);
    },
  );

  it("is what the person's command has printed, cut to the width, with its colours and nothing else of it", () => {
    const text = "\u001b]0;owned\u0007\u001b[31mred\u001b[0m \u001b[2J日本語 and more";
    const drawn = hudRow({ ...hud, statusLine: { text } }, 18);
    expect(textOfRow(drawn)).toBe(" red 日本語 and m…");
    expect(drawn.spans.find((each) => each.text === "red")?.style.fg).toBeDefined();
  });

  it("keeps warnings and questions before what the command has printed, and its own parts while that fails", () => {
    const truncated = { sentTokens: 9000, readTokens: 4000 };
    const warned = shown({ ...hud, truncated, statusLine: { text: "mine" } }, 120, { questions: 1 });
    expect(warned).toMatch(/^a question waits in Chat · server truncated: .* · mine$/);
    expect(shown({ ...hud, statusLine: { problem: "It failed." } }, 120)).toBe(shown(hud, 120));
  });

  it.each([
    [
      140,
      "main · goal npm test passes, without changed or s… · 3/20 checks, 12k/200k tokens, $0.41/$2 · asks first | claude-sonnet-4 · 12k/33k (38%)",
    ],
    [80, "main · goal npm test passes, w… · asks first | claude-sonnet-4 · 12k/33k (38%)"],
    [60, "main · goal npm test… | claude-sonnet-4 · 12k/33k (38%)"],
    [40, "main · goal npm test… | 12k/33k (38%)"],
    [20, "12k/33k (38%)"],
  ])("has a goal with what is used of its limits, as far as there is room at %i columns", (columns, text) => {
    const goal = {
      ...{ text: "npm test passes, without changed or skipped tests", state: "active" as const },
      ...{ checks: { used: 3, of: 20 }, tokens: { used: 12_345, of: 200_000 }, usd: { used: 0.41, of: 2 } },
    };
    const { git = clean, ...others } = hud;
    const row = { ...others, git: { ...git, ...clean }, goal, agentsRunning: 0, queued: 0 };
    expect(shown(row, columns)).toBe(text);
  });

  it("says that a goal is paused, and hides one that a person does not want to see", () => {
    const goal = { text: "a\u001b[31m b", state: "paused" as const, checks: { used: 1, of: 1 } };
    const row = { ...hud, git: clean, goal, agentsRunning: 0, queued: 0 };
    expect(shown(row, 120)).toContain("main · goal paused: a b · 1/1 check · asks first");
    expect(shown(row, 120, { hidden: ["goal"] })).not.toContain("goal");
  });

  it("leaves out the parts that a person does not want, but no warning", () => {
    const hidden = ["branch", "changes", "mode", "context", "queue", "agents"];
    expect(shown(hud, 120, { hidden })).toBe("claude-sonnet-4");
    const context = { usedTokens: 95, windowTokens: 100, windowSource: "server" as const };
    expect(shown({ ...hud, context }, 120, { hidden })).toBe("claude-sonnet-4 · 95/100 (95%, nearly full)");
  });

  it("keeps what leaving would leave behind beside the question whether to leave", () => {
    const leave = "Press Ctrl+C again to leave.";
    expect(shown(hud, 70, { leaving: leave })).toBe(`${leave} · 2 queued · 1 agent | 12k/33k (38%)`);
    expect(shown({ ...hud, queued: 0, agentsRunning: 0 }, 90, { leaving: leave, commands: 2 })).toMatch(
      /^Press Ctrl\+C again to leave\. · ends 2 commands in the background · main/,
    );
    expect(shown(hud, 90, { commands: 2 })).not.toContain("ends");
    expect(leaveText(usualKeymap.names)).toBe(leave);
    expect(shown(undefined, 40, { leaving: leave })).toContain(leave);
  });

  it("says when a question waits where one does not look", () => {
    expect(shown(hud, 64, { questions: 1 })).toBe("a question waits in Chat · main | 12k/33k (38%)");
  });

  it.each([
    [{ cost: { usd: 0.12, unpricedRequests: 0 } }, "$0.12"],
    [{ cost: { usd: 0.12, unpricedRequests: 2 } }, "$0.12+?"],
    [{ cost: { usd: 0, unpricedRequests: 2 } }, ""],
    [{ prefix: { kept: 950, of: 1000 } }, ""],
    [{ prefix: { kept: 340, of: 1000 } }, "cache lost"],
    [{ prefix: { kept: 700, of: 1000 } }, "cache partly lost"],
    [
      { prefix: { kept: 0, of: 1000, break: { section: "tools" as const, offset: 0, cause: "the tools changed" } } },
      "cache lost: the tools changed",
    ],
    [{ prefix: { kept: 0, of: 0 } }, ""],
  ])("after the mode, %j is %j", (more, text) => {
    const rest = { permissionMode: "deny" as const, agentsRunning: 0, queued: 0 };
    expect(shown({ ...rest, ...more }, 80)).toBe(`changes denied${text === "" ? "" : ` · ${text}`}`);
  });

  it.each([
    [{ agentChanges: { added: 10, removed: 2, changedFiles: 1 } }, "main · +12 −3 · by agent +10 −2 · asks first"],
    [{ agentChanges: { added: 10, removed: 2, changedFiles: 1 }, git: clean }, "main · asks first"],
    [{ agentChanges: { added: 12, removed: 3, changedFiles: 2 } }, "main · +12 −3 · asks first"],
    // Files with the same counts: the same text twice would add nothing.
    [{ agentChanges: { added: 12, removed: 3, changedFiles: 1 } }, "main · +12 −3 · asks first"],
    [{ agentChanges: { added: 0, removed: 0, changedFiles: 0 } }, "main · +12 −3 · asks first"],
    [{ agentChanges: { added: 0, removed: 0, changedFiles: 1 }, git: undefined }, "by agent 1 file · asks first"],
    [{ git: { branch: "main", added: 0, removed: 0, changedFiles: 2 } }, "main · 2 files · asks first"],
    [
      { git: { branch: "main", added: 1, removed: 0, changedFiles: 2_001, uncounted: 2_000 } },
      "main · +1 −0 + 2000 files · asks first",
    ],
    [{ git: { ...clean, branch: "a1b2c3d", isDetached: true } }, "at a1b2c3d · asks first"],
    [{ git: { ...clean, operation: "rebasing", branch: "topic" } }, "rebasing topic · asks first"],
    [{ git: { ...clean, operation: "merging" } }, "merging into main · asks first"],
    [{ git: { ...clean, ahead: 1, behind: 2 } }, "main ↑1 ↓2 · asks first"],
    [{ git: undefined, gitProblem: "dubious ownership" }, "git: dubious ownership · asks first"],
    [{ git: undefined, mcp: { ready: 1, total: 1 } }, "asks first"],
    [{ git: undefined, mcp: { ready: 1, total: 2, starting: 1 } }, "asks first · MCP starting 1/2"],
    [{ git: undefined, mcp: { ready: 0, total: 2, failed: 1 } }, "asks first · 1 MCP server failed"],
    [{ mode: "agent" }, "main · +12 −3 · asks first"],
    [{ mode: "planning" }, "main · +12 −3 · planning"],
    [{ sandbox: { active: true } }, "main · +12 −3 · asks first · sandbox"],
    [{ sandbox: { active: false, why: "no bubblewrap" } }, "main · +12 −3 · asks first · unsandboxed"],
    [{ pinned: 3 }, "main · +12 −3 · asks first · 3 pinned"],
    [{ pendingEdits: { changes: 1, files: 1 } }, "main · +12 −3 · asks first · 1 edit pending"],
    [{ pendingEdits: { changes: 4, files: 2 } }, "main · +12 −3 · asks first · 4 edits pending"],
    [{ localOnly: true }, "main · +12 −3 · asks first · local only"],
  ])("of %j shows %s", (more, text) => {
    const rest = { git: hud.git, permissionMode: "default" as const, agentsRunning: 0, queued: 0 };
    expect(shown({ ...rest, ...more } as Hud, 120)).toBe(text);
  });

  it("says first of all, in red, that the server read only a part", () => {
    const { spans } = hudRow({ ...hud, truncated: { sentTokens: 11_300, readTokens: 4096 } }, 80);
    const text = "server truncated: sent ≈11.3k, read 4.1k";
    expect(spans[1]).toMatchObject({ text, style: { fg: "error" } });
  });

  it("says nothing that is not known", () => {
    expect(shown({ permissionMode: "deny", agentsRunning: 0, queued: 0 }, 80)).toBe("changes denied");
    expect(shown(undefined, 80)).toBe("starting…");
  });

  it.each([
    [69, "69/100 (69%)", undefined],
    [70, "70/100 (70%, filling up)", "warning"],
    [89, "89/100 (89%, filling up)", "warning"],
    [90, "90/100 (90%, nearly full)", "error"],
  ])("says in words and by colour how full the context window is, at %i %%", (percent, text, role) => {
    const context = { usedTokens: percent, windowTokens: 100, windowSource: "server" as const };
    const shown = hudRow({ ...hud, context }, 120).spans.find((each) => each.text.includes("%"));
    expect([shown?.text, shown?.style.fg]).toEqual([text, role]);
  });

  it.each([
    [0, "0"],
    [999, "999"],
    [1000, "1k"],
    [1250, "1.3k"],
    [12_300, "12k"],
    [999_600, "1M"],
    [1_200_000, "1.2M"],
  ])("shortens %i to %s", (count, text) => {
    expect(shortCount(count)).toBe(text);
  });
});
