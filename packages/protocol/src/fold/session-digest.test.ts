import { describe, expect, it } from "vitest";
import type { StoredFact } from "../vocabulary/updates.ts";
import { digestView, newSessionDigest, type SessionDigest, summaryOf } from "./session-digest.ts";

const at = "2026-11-21T14:30:22.000Z";
const header = { sessionId: "s", cwd: "/w", createdAt: at };

function digestOf(...updates: StoredFact["update"][]): SessionDigest {
  const digest = newSessionDigest({ ...header, client: "harness-run" });
  for (const [seq, update] of updates.entries())
    digestView(digest).see({ seq, at, agentId: "main", turnId: `t${seq}`, update });
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

it("a digest has no answer where the last reply has no text", () => {
  expect(digestOf(reply("First."), reply("")).answer).toBeUndefined();
});

it("a digest says that its session is archived, keeps its time, and a message of the person takes it out", () => {
  const archive = (archived: boolean): StoredFact["update"] => ({ sessionUpdate: "archive_update", archived });
  const message = (origin: "user" | "harness"): StoredFact["update"] => ({
    ...{ sessionUpdate: "user_message", messageId: "m", origin },
    content: [{ type: "text", text: "hi" }],
  });
  const digest = newSessionDigest(header);
  const later = "2026-11-25T00:00:00.000Z";
  const see = (update: StoredFact["update"], agentId = "main") => {
    digestView(digest).see({ seq: 1, at: later, agentId, update });
    return [digest.archived, digest.updatedAt];
  };
  expect(see(archive(true), "agent-1")).toEqual([undefined, at]);
  expect(see(archive(true))).toEqual([true, at]);
  expect(see(archive(false))).toEqual([undefined, at]);
  expect(see(archive(true))).toEqual([true, at]);
  expect(see(message("harness"))).toEqual([true, later]);
  expect(see(message("user"))).toEqual([undefined, later]);
});

describe("the changed lines of a digest", () => {
  type Rewind = Extract<StoredFact["update"], { sessionUpdate: "rewind_update" }>;
  const rewound = (kind: Rewind["kind"], turnIds: string[], more: Partial<Rewind> = {}): Rewind => ({
    ...{ sessionUpdate: "rewind_update", rewindId: "r", kind, turnIds },
    files: [{ path: "a", outcome: "restored" }],
    ...more,
  });
  /** Changes of turns by their ids, and rewinds. */
  function changesAfter(...steps: (readonly [turnId: string, added: number, removed: number] | Rewind)[]) {
    const digest = newSessionDigest(header);
    for (const [seq, step] of steps.entries()) {
      const isRewind = "sessionUpdate" in step;
      const update = isRewind ? step : changed(step[1], step[2]);
      digestView(digest).see({ seq, at, agentId: "main", ...(isRewind ? {} : { turnId: step[0] }), update });
    }
    // As a list shows it after it was on disk.
    return summaryOf(JSON.parse(JSON.stringify(digest)), "stored").changes;
  }
  const two = [
    ["t1", 3, 1],
    ["t2", 10, 4],
  ] as const;

  it.each<[string, object | undefined, Parameters<typeof changesAfter>]>([
    [
      "the same turn counted again",
      { added: 5, removed: 2 },
      [
        ["t1", 3, 1],
        ["t1", 5, 2],
      ],
    ],
    ["an undo", { added: 3, removed: 1 }, [...two, rewound("undo", ["t2"])]],
    ["a redo", { added: 13, removed: 5 }, [...two, rewound("undo", ["t2"]), rewound("redo", ["t2"])]],
    ["a rewind of all", { added: 0, removed: 0 }, [...two, rewound("rewind", ["t1", "t2"])]],
    ["a turn after an undo", { added: 4, removed: 1 }, [...two, rewound("undo", ["t2"]), ["t3", 1, 0]]],
    ["the same undo once more", { added: 3, removed: 1 }, [...two, rewound("undo", ["t2"]), rewound("undo", ["t2"])]],
    ["an undo of messages alone", { added: 13, removed: 5 }, [...two, rewound("rewind", [], { fromSeq: 1 })]],
    ["an undo of a part", undefined, [...two, rewound("undo", [], { toCheckpoint: "k1" })]],
    ["a file that was kept", undefined, [...two, rewound("undo", ["t2"], { files: [{ path: "a", outcome: "kept" }] })]],
    ["an undo of a turn that is not known", undefined, [...two, rewound("undo", ["t0"])]],
  ])("are right after %s, or unknown", (_what, changes, steps) => {
    expect(changesAfter(...steps)).toEqual(changes);
  });
});
