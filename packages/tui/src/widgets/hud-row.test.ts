import type { Hud } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { textOfRow } from "../text/style.ts";
import { hudRow, shortCount } from "./hud-row.ts";

const hud: Hud = {
  git: { branch: "main", added: 12, removed: 3, changedFiles: 2 },
  context: { usedTokens: 12_300, windowTokens: 32_768, windowSource: "server" as const },
  provider: "openrouter",
  model: "anthropic/claude-sonnet-4",
  permissionMode: "default" as const,
  agentsRunning: 1,
  queued: 2,
};

describe("hudRow", () => {
  it.each([
    [120, " ⎇ main · +12 −3 · 12k/33k (38%) · claude-sonnet-4 · default · 2 queued · 1 agent"],
    [78, " ⎇ main · 12k/33k (38%) · claude-sonnet-4 · default · 2 queued · 1 agent"],
    [60, " ⎇ main · 12k/33k (38%) · claude-sonnet-4 · default"],
    [45, " 12k/33k (38%) · claude-sonnet-4 · default"],
    [40, " 12k/33k (38%) · claude-sonnet-4"],
    [20, " 12k/33k (38%)"],
  ])("drops the least important parts at %i columns", (columns, text) => {
    expect(textOfRow(hudRow(hud, columns))).toBe(text);
  });

  it("keeps what leaving would leave behind beside the question whether to leave", () => {
    const leave = " Press Ctrl+C again to leave.";
    expect(textOfRow(hudRow(hud, 70, { leaving: true }))).toBe(`${leave} · 12k/33k (38%) · 2 queued · 1 agent`);
    expect(textOfRow(hudRow(undefined, 40, { leaving: true }))).toContain(leave);
  });

  it("says when a question waits where one does not look", () => {
    expect(textOfRow(hudRow(hud, 60, { questions: 1 }))).toBe(
      " a question waits in Chat · 12k/33k (38%) · claude-sonnet-4",
    );
  });

  it.each([
    [{ cost: { usd: 0.12, unpricedRequests: 0 } }, "$0.12"],
    [{ cost: { usd: 0.12, unpricedRequests: 2 } }, "$0.12+?"],
    [{ cost: { usd: 0, unpricedRequests: 2 } }, "cost unknown"],
    [{ prefix: { kept: 950, of: 1000 } }, ""],
    [{ prefix: { kept: 340, of: 1000 } }, "prefix 34 %"],
    [
      { prefix: { kept: 0, of: 1000, break: { section: "tools" as const, offset: 0, cause: "the tools changed" } } },
      "prefix 0 % (the tools changed)",
    ],
    [{ prefix: { kept: 0, of: 0 } }, ""],
  ])("after the mode %j is %j", (more, text) => {
    const rest = { permissionMode: "plan" as const, agentsRunning: 0, queued: 0 };
    expect(textOfRow(hudRow({ ...rest, ...more }, 80))).toBe(` plan${text === "" ? "" : ` · ${text}`}`);
  });

  it.each([
    [{ agentChanges: { added: 10, removed: 2, changedFiles: 1 } }, "⎇ main · +12 −3 · agent +10 −2 · default"],
    [{ agentChanges: { added: 12, removed: 3, changedFiles: 2 } }, "⎇ main · +12 −3 · agent +12 −3 · default"],
    [{ agentChanges: { added: 0, removed: 0, changedFiles: 0 } }, "⎇ main · +12 −3 · default"],
    [{ agentChanges: { added: 0, removed: 0, changedFiles: 1 }, git: undefined }, "agent +0 −0 · default"],
    [{ mode: "agent" }, "⎇ main · +12 −3 · default"],
    [{ mode: "planning" }, "⎇ main · +12 −3 · planning · default"],
    [{ sandbox: { active: true } }, "⎇ main · +12 −3 · default · sandbox"],
    [{ sandbox: { active: false, why: "no bubblewrap" } }, "⎇ main · +12 −3 · default · unsandboxed"],
    [{ pinned: 3 }, "⎇ main · +12 −3 · 3 pinned · default"],
    [{ localOnly: true }, "⎇ main · +12 −3 · default · local only"],
  ])("of %j shows %s", (more, text) => {
    const rest = { git: hud.git, permissionMode: "default" as const, agentsRunning: 0, queued: 0 };
    expect(textOfRow(hudRow({ ...rest, ...more } as Hud, 120))).toBe(` ${text}`);
  });

  it("says first of all, in red, that the server read only a part", () => {
    const { spans } = hudRow({ ...hud, truncated: { sentTokens: 11_300, readTokens: 4096 } }, 80);
    const text = "server truncated: sent ≈11.3k, read 4.1k";
    expect(spans[1]).toMatchObject({ text, style: { fg: "error" } });
  });

  it("has no room for a price that nobody knows beside what the agent changed", () => {
    const agentChanges = { added: 1, removed: 1, changedFiles: 1 };
    const shown = (cost: Hud["cost"]) =>
      textOfRow(hudRow({ ...hud, agentChanges, cost, queued: 0, agentsRunning: 0 } as Hud, 84));
    expect(shown({ usd: 0, unpricedRequests: 1 })).toContain("agent +1 −1");
    expect(shown({ usd: 0, unpricedRequests: 1 })).not.toContain("unknown");
    expect(shown({ usd: 0.1, unpricedRequests: 0 })).toContain("$0.1");
  });

  it("says nothing that is not known", () => {
    expect(textOfRow(hudRow({ permissionMode: "plan", agentsRunning: 0, queued: 0 }, 80))).toBe(" plan");
    expect(textOfRow(hudRow(undefined, 80))).toBe(" starting…");
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
