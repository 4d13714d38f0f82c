import type { SessionNotification } from "@agentclientprotocol/sdk/unstable";
import { updateViewContract } from "@harness/testkit";
import { MemoryPeer } from "../../test/memory-peer.ts";
import { UpdateWriter } from "../peer/update-writer.ts";
import { PromptWait } from "../prompts/prompt-wait.ts";
import { UpdatePublisher } from "./update-publisher.ts";

/** Text that was streamed cannot be taken back, and output of running calls is replaced by their results. */
function isLasting(update: SessionNotification["update"]): boolean {
  if (update.sessionUpdate === "compaction_update") return update.status !== "in_progress";
  if (update.sessionUpdate === "tool_call_update") return update.status != null;
  return !update.sessionUpdate.endsWith("_chunk");
}

updateViewContract({
  name: "what a client is sent",
  open() {
    const peer = new MemoryPeer();
    const writer = new UpdateWriter("s1", peer, { session: { compaction: {}, notices: {} } });
    writer.release();
    const nobody = { isOwnPrompt: () => false, onConfig: () => undefined, agentName: (id: string) => id };
    const view = new UpdatePublisher({ writer, ...nobody });
    return { view, kept: () => peer.updates.filter(isLasting) };
  },
});

updateViewContract({
  name: "the answers to prompts",
  open() {
    const view = new PromptWait();
    const answers: unknown[] = [];
    for (const id of ["prompt1", "q", "prompt3"])
      view.add(id).then(
        (answer) => answers.push(answer),
        (error: Error) => answers.push(error.message),
      );
    return { view, kept: async () => Promise.resolve().then(() => [...answers, view.queued]) };
  },
});
