import type { AgentPart, AgentState, SessionState, ToolItem, TranscriptItem } from "@harness/protocol";
import { ROOT_AGENT } from "@harness/protocol";
import { endedView } from "../calls/call-publisher.ts";
import { type CallFacts, callView } from "../calls/call-view.ts";
import type { UpdateWriter } from "../peer/update-writer.ts";
import { planOf } from "./plan.ts";
import type { SessionPublisher } from "./session-publisher.ts";
import { userChunks } from "./user-message.ts";

type Inputs = Map<string, CallFacts["input"]>;

/** Sends the conversations as they are now: what was rewound is not a part of them. */
export function replaySession({ agents, title }: SessionState, publisher: SessionPublisher): void {
  for (const agent of agents.values()) {
    const writer = publisher.writerOf(agent);
    if (writer) replayAgent(agent, writer);
    if (agent.agentId === ROOT_AGENT && title !== undefined)
      writer?.send({ sessionUpdate: "session_info_update", title });
  }
}

function replayAgent({ items, todos }: AgentState, writer: UpdateWriter): void {
  const inputs: Inputs = new Map();
  for (const item of items) replayItem(item, inputs, writer);
  if (todos.length > 0) writer.send(planOf(todos, { byId: writer.takesPlanIds }));
}

function replayItem(item: TranscriptItem, inputs: Inputs, writer: UpdateWriter): void {
  switch (item.kind) {
    case "user":
      for (const chunk of userChunks({ messageId: item.id, content: item.content, origin: item.origin }))
        writer.send(chunk);
      break;
    case "agent":
      for (const part of item.parts) replayPart(item.id, part, inputs, writer);
      break;
    case "tool":
      replayCall(item, inputs, writer);
      break;
    case "notice":
      writer.notice(item.severity, item);
      break;
    case "rewind":
      if (item.title !== undefined) writer.notice("info", { id: item.id, title: item.title });
      break;
    case "compaction":
      if (writer.takesCompactions)
        writer.send({
          sessionUpdate: "compaction_update",
          compactionId: item.id,
          status: "completed",
          summary: [{ type: "text", text: item.summary }],
        });
      break;
  }
}

function replayPart(messageId: string, part: AgentPart, inputs: Inputs, writer: UpdateWriter): void {
  if (part.type === "text") writer.text(part.text, messageId);
  if (part.type === "thinking") writer.thought(part.text, messageId);
  if (part.type === "tool_call") inputs.set(part.toolCallId, part.input);
}

function replayCall(item: ToolItem, inputs: Inputs, writer: UpdateWriter): void {
  const { id: toolCallId, name, title, effects = [], status, outcome } = item;
  const facts: CallFacts = { toolCallId, name, title, effects, input: inputs.get(toolCallId) };
  const view = outcome ? endedView(facts, outcome) : callView(facts);
  writer.send({ sessionUpdate: "tool_call", ...view, status });
}
