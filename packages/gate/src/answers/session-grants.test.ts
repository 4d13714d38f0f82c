import type { StoredFact } from "@harness/protocol";
import { expect, it } from "vitest";
import { SessionGrants } from "./session-grants.ts";

const at = "2026-11-22T10:00:00.000Z";
const plain = { tool: "write", kind: "plain" } as const;
const turnEnd = (agentId: string): StoredFact => ({
  ...{ seq: 1, at, agentId },
  update: { sessionUpdate: "state_update", state: "idle" },
});
const command = { tool: "bash", kind: "run", command: "npm test", cwd: "/w" } as const;

it("an answer for a turn applies only to the agent that was asked about", () => {
  const book = new SessionGrants();
  book.add(plain, at, { agentId: "agent-1", turnId: "t2" });
  expect(book.for({ agentId: "agent-1", turnId: "t2" })).toEqual([plain]);
  expect(book.for({ agentId: "main", turnId: "t1" })).toEqual([]);
  expect(book.for({ agentId: "agent-2", turnId: "t3" })).toEqual([]);
  book.see(turnEnd("main"));
  expect(book.for({ agentId: "agent-1", turnId: "t2" })).toEqual([plain]);
  book.see(turnEnd("agent-1"));
  expect(book.for({ agentId: "agent-1", turnId: "t2" })).toEqual([]);
});

it("an answer for the session applies to all its agents, until it is revoked", () => {
  const book = new SessionGrants();
  book.add(command, at);
  expect(book.for({ agentId: "agent-1", turnId: "t2" })).toEqual([command]);
  const [view] = book.views;
  expect(book.revoke(view?.ruleId ?? "")).toMatchObject({ scope: "session" });
  expect(book.revoke(view?.ruleId ?? "")).toBeUndefined();
  expect(book.for({ agentId: "main", turnId: "t1" })).toEqual([]);
});
