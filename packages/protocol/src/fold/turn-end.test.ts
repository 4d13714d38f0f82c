import { describe, expect, it } from "vitest";
import type { Fact, StoredFact } from "../vocabulary/updates.ts";
import { fold } from "./session-state.ts";

const at = (second: number): string => new Date(Date.UTC(2026, 10, 21, 10, 0, second)).toISOString();
const stored = (...updates: [second: number, fact: Fact][]): StoredFact[] =>
  updates.map(([second, update], n) => ({ seq: n + 1, at: at(second), agentId: "main", turnId: "t1", update }));
const ends = (...updates: [second: number, fact: Fact][]) =>
  fold("s", stored(...updates))
    .agents.get("main")
    ?.items.filter(({ kind }) => kind === "turn");

const running: Fact = { sessionUpdate: "state_update", state: "running" };
const asking: Fact = { sessionUpdate: "state_update", state: "requires_action" };
const idle = (more: object = {}): Fact => ({ sessionUpdate: "state_update", state: "idle", ...more });
const notice = (severity: "info" | "warning"): Fact => ({ sessionUpdate: "notice", severity, title: "x" });
const file = { path: "a", change: "modify" as const, added: 3, removed: 1 };
const changes = { files: [file], moreFiles: 0, added: 3, removed: 1 };

describe("the end of a turn", () => {
  it("stays with its tokens, cost and changed files, and its time without that of the person", () => {
    const spent = { usage: { inputTokens: 5 }, cost: { usd: 0.1, unpricedRequests: 0 } };
    expect(
      ends(
        [0, running],
        [4, asking],
        [9, running],
        [11, { sessionUpdate: "turn_changes", before: "k1", after: "k2", ...changes }],
        [12, idle({ stopReason: "end_turn", ...spent })],
      ),
    ).toEqual([{ kind: "turn", id: "e5", ms: 7000, stopReason: "end_turn", ...spent, changes, at: at(12) }]);
  });

  it("keeps why it failed, and belongs to its own turn", () => {
    const error = { kind: "auth" as const, message: "no key" };
    expect(ends([0, running], [1, idle({ stopReason: "error", error })], [5, running], [7, idle()])).toMatchObject([
      { ms: 1000, error },
      { ms: 2000 },
    ]);
  });

  it("has no time where it was noticed only when the session was opened again", () => {
    const [item] = ends([0, running], [1, notice("warning")], [50, idle({ stopReason: "interrupted" })]) ?? [];
    expect(item).toEqual({ kind: "turn", id: "e3", stopReason: "interrupted", at: at(50) });
  });

  it("is explained by a warning before it, and by nothing else", () => {
    const loop = idle({ stopReason: "loop" });
    expect(ends([0, running], [1, notice("warning")], [2, loop])).toMatchObject([{ explained: true }]);
    expect(ends([0, running], [1, notice("info")], [2, loop])?.[0]).not.toHaveProperty("explained");
  });

  it("does not arrive for an idle session, and changes without a turn are not a turn", () => {
    expect(ends([0, idle()], [1, { sessionUpdate: "turn_changes", before: "a", after: "b", ...changes }])).toEqual([]);
  });
});
