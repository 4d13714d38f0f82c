import type { AgentState, SessionState } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { textOfRow } from "../../text/style.ts";
import { statusRow } from "./status-row.ts";

const moment = { sinceMs: 0, nowMs: 3000, columns: 60, tick: 0, stops: "Esc stops" };
const shown = (live: Partial<NonNullable<AgentState["live"]>>, columns = 60): string => {
  const whole = { messageId: "m", text: "", thinking: "", inputs: new Map(), ...live };
  const agent = { agentId: "main", state: "running", items: [], live: whole } as unknown as AgentState;
  const session = { running: new Set(), agents: new Map() } as unknown as SessionState;
  const row = statusRow(session, agent, { ...moment, columns });
  return row ? textOfRow(row) : "";
};

it("counts the time of a turn without the person's", () => {
  const agent = { agentId: "main", state: "running", items: [], turn: { startedAt: "", askedMs: 60_000 } };
  const session = { running: new Set(), agents: new Map() } as unknown as SessionState;
  const row = statusRow(session, agent as unknown as AgentState, { ...moment, nowMs: 64_000 });
  expect(row && textOfRow(row)).toBe("◐ Thinking… (4 s · Esc stops)");
});

describe("the activity of a model that thinks", () => {
  it("ends with the line that it is thinking", () => {
    expect(shown({ thinking: "First this.\nThen \u001b[2Jthat\n" })).toBe("◐ Thinking… (3 s · Esc stops) Then that");
    expect(shown({ thinking: "" })).toBe("◐ Thinking… (3 s · Esc stops)");
  });

  it("is never wider than the screen, and has none of it beside an answer", () => {
    expect(shown({ thinking: "x".repeat(9_000) }, 40)).toHaveLength(40);
    expect(shown({ thinking: "Hm.", text: "Yes" })).not.toContain("Hm.");
  });
});
