import type { StoredFact } from "@harness/protocol";
import { expect, it } from "vitest";
import { newSessionDigest, noteFact, type SessionDigest } from "./session-digest.ts";

const at = "2026-11-21T14:30:22.000Z";
const header = { sessionId: "s", cwd: "/w", createdAt: at };

function digestOf(...updates: StoredFact["update"][]): SessionDigest {
  const digest = newSessionDigest({ ...header, client: "harness-run" });
  for (const [seq, update] of updates.entries()) noteFact(digest, { seq, at, agentId: "main", update });
  return digest;
}

const reply = (text: string): StoredFact["update"] => ({
  ...{ sessionUpdate: "agent_message", messageId: "m", stop: "end", provider: "p", model: "m" },
  parts: [{ type: "thinking", text: "hm" }, ...(text === "" ? [] : [{ type: "text" as const, text }])],
});
const changed = (added: number, removed: number): StoredFact["update"] => ({
  ...{ sessionUpdate: "turn_changes", before: "a", after: "b", files: [], moreFiles: 0 },
  ...{ added, removed },
});

it("a digest has who began the session, the first line of the last reply, and the changed lines", () => {
  const { client, answer, changes } = digestOf(
    reply("First."),
    changed(3, 1),
    reply("\n\n  All green.\nMore."),
    changed(2, 2),
  );
  expect({ client, answer, changes }).toEqual({
    client: "harness-run",
    answer: "All green.",
    changes: { added: 5, removed: 3 },
  });
});

it("a digest has no answer where the last reply has no text, and no counts once something was taken back", () => {
  const undone: StoredFact["update"] = {
    sessionUpdate: "rewind_update",
    rewindId: "r",
    kind: "undo",
    restored: [],
  } as never;
  const { answer, changes } = digestOf(reply("First."), changed(3, 1), reply(""), undone, changed(1, 0));
  expect([answer, changes]).toEqual([undefined, undefined]);
});
