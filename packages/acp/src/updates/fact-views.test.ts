import type { ClientCapabilities, SessionNotification } from "@agentclientprotocol/sdk/unstable";
import { updateViewContract } from "@harness/testkit";
import { MemoryPeer } from "../../test/memory-peer.ts";
import { UpdateWriter } from "../peer/update-writer.ts";
import { PromptWait } from "../prompts/prompt-wait.ts";
import { SessionPublisher } from "./session-publisher.ts";
import { UpdatePublisher } from "./update-publisher.ts";

/** Text that was streamed cannot be taken back, and output of running calls is replaced by their results. */
function isLasting(update: SessionNotification["update"]): boolean {
  if (update.sessionUpdate === "compaction_update") return update.status !== "in_progress";
  if (update.sessionUpdate === "tool_call_update") return update.status != null;
  return !update.sessionUpdate.endsWith("_chunk");
}

const nobody = { isOwnPrompt: () => false, onConfig: () => undefined, agentName: (id: string) => id };

function client(capabilities: ClientCapabilities) {
  const peer = new MemoryPeer();
  const writer = new UpdateWriter("s1", peer, capabilities);
  writer.release();
  return { writer, kept: () => peer.updates.filter(isLasting) };
}

updateViewContract({
  name: "what a client is sent",
  open() {
    const { writer, kept } = client({ session: { compaction: {}, notices: {} } });
    return { view: new UpdatePublisher({ writer, ownerId: "main", ...nobody }), kept };
  },
});

updateViewContract({
  name: "what a client is sent that has sessions for subagents",
  open() {
    const { writer, kept } = client({ session: { compaction: {}, notices: {} }, subagents: {} });
    return { view: new SessionPublisher({ writer, ...nobody }), kept };
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
