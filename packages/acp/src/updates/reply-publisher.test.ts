import type { ClientCapabilities } from "@agentclientprotocol/sdk/unstable";
import { describe, expect, it } from "vitest";
import { MemoryPeer } from "../../test/memory-peer.ts";
import { UpdateWriter } from "../peer/update-writer.ts";
import { ReplyPublisher } from "./reply-publisher.ts";

const chunk = (offset: number, text: string) => ({
  sessionUpdate: "agent_message_chunk" as const,
  messageId: "m",
  offset,
  text,
});
const retry = {
  sessionUpdate: "retry" as const,
  messageId: "m",
  attempt: 1,
  maxAttempts: 3,
  delayMs: 0,
  error: { kind: "network" as const, message: "The connection broke." },
};

function opened(capabilities: ClientCapabilities = {}) {
  const peer = new MemoryPeer();
  const writer = new UpdateWriter("s", peer, capabilities);
  writer.release();
  return { peer, replies: new ReplyPublisher(writer) };
}

/** The messages that a client has after these updates, by their ids. */
function messages({ updates }: MemoryPeer): Record<string, string> {
  const all: Record<string, string> = {};
  for (const update of updates)
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
      all[update.messageId ?? ""] = (all[update.messageId ?? ""] ?? "") + update.content.text;
  return all;
}

describe("the text of a reply", () => {
  it("is sent once, however its chunks overlap, and completed by the whole", () => {
    const { peer, replies } = opened();
    for (const each of [chunk(0, "He"), chunk(1, "ell"), chunk(9, "lost")]) replies.chunk(each);
    replies.whole("m", [{ type: "text", text: "Hello there." }]);
    expect(messages(peer)).toEqual({ m: "Hello there." });
  });

  it("begins again as another message where the request is repeated, with a word about it", () => {
    const { peer, replies } = opened({ session: { notices: {} } });
    replies.chunk(chunk(0, "Half an ans"));
    replies.void(retry);
    replies.chunk(chunk(0, "A whole"));
    replies.whole("m", [{ type: "text", text: "A whole answer." }]);
    expect(messages(peer)).toEqual({ m: "Half an ans", "m-1": "A whole answer." });
    expect(peer.updates).toContainEqual({
      sessionUpdate: "notice",
      severity: "warning",
      title: "The reply broke off; it begins again.",
      description: "The connection broke.",
    });
  });

  it("says nothing of a repeated request before its first word", () => {
    const { peer, replies } = opened();
    replies.void(retry);
    expect(peer.updates).toEqual([]);
  });

  it("is sent as another message where it was corrected, and not where only a call was taken out of it", () => {
    const { peer, replies } = opened();
    replies.chunk(chunk(0, "Let me see <tool>"));
    replies.whole("m", [{ type: "text", text: "Let me see" }]);
    expect(messages(peer)).toEqual({ m: "Let me see <tool>" });
    replies.chunk({ ...chunk(0, "wrong"), messageId: "n" });
    replies.whole("n", [{ type: "text", text: "Right." }]);
    expect(messages(peer)).toMatchObject({ n: "wrong", "n-whole": "Right." });
  });
});
