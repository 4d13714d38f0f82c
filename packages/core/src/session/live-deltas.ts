import type { AgentState, Delta, SessionState } from "@harness/protocol";

/** The deltas that bring a client with all facts up to date with what is being streamed. */
export function liveDeltas(state: SessionState): { agentId: string; delta: Delta }[] {
  return [...state.agents.values()].flatMap((agent) =>
    deltasOf(agent).map((delta) => ({ agentId: agent.agentId, delta })),
  );
}

function deltasOf({ live, status, compaction, output }: AgentState): Delta[] {
  const deltas: Delta[] = [...(compaction ? [compaction] : []), ...(status ? [status] : [])];
  const offset = 0;
  if (live) {
    const { messageId, text, thinking, inputs } = live;
    if (thinking) deltas.push({ sessionUpdate: "agent_thought_chunk", messageId, offset, text: thinking });
    if (text) deltas.push({ sessionUpdate: "agent_message_chunk", messageId, offset, text });
    for (const [toolCallId, input] of inputs) {
      deltas.push({
        sessionUpdate: "tool_input_chunk",
        messageId,
        toolCallId,
        name: input.name,
        offset,
        text: input.text,
      });
    }
  }
  for (const [toolCallId, text] of output)
    deltas.push({ sessionUpdate: "tool_output_chunk", toolCallId, offset, text });
  return deltas;
}
