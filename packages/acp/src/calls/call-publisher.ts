import type { ToolCallContent } from "@agentclientprotocol/sdk/unstable";
import {
  type AgentPart,
  type Block,
  blocksOf,
  clipText,
  type Permission,
  type ToolOutcome,
  type UpdateOf,
} from "@harness/protocol";
import type { UpdateWriter } from "../peer/update-writer.ts";
import { blockContent, textContent } from "./block-content.ts";
import { type CallFacts, type CallView, callView } from "./call-view.ts";
import { codeFence } from "./code-fence.ts";
import { OutputStream } from "./output-stream.ts";

type Call = CallFacts & { agentId: string; isSent: boolean; output?: OutputStream };

const MAX_RAW_OUTPUT = 20_000;

/**
 * Shows calls. The first message of a call has all that a client draws: it waits until the gate has decided, or asks;
 * that of an edit, which needs no time, for the changed lines. Calls of other agents are shown when they are asked about.
 */
export class CallPublisher {
  readonly #writer: UpdateWriter;
  /** The agent whose session it is. */
  readonly #agentId: string;
  readonly #calls = new Map<string, Call>();
  readonly #inputs = new Map<string, CallFacts["input"]>();

  constructor(writer: UpdateWriter, agentId: string) {
    this.#writer = writer;
    this.#agentId = agentId;
  }

  /** The arguments of the calls in a reply. */
  written(parts: readonly AgentPart[]): void {
    for (const part of parts) if (part.type === "tool_call") this.#inputs.set(part.toolCallId, part.input);
  }

  change(agentId: string, update: UpdateOf<"tool_call_update">): void {
    const { toolCallId, status, outcome } = update;
    const call = this.#call(agentId, update);
    if (outcome) this.#end(call, status === "completed" ? "completed" : "failed", outcome);
    if (outcome || status !== "in_progress") return;
    if (call.isSent) this.#writer.send({ sessionUpdate: "tool_call_update", toolCallId, status });
    else if (!isEdit(call)) this.#begin(call, "in_progress");
  }

  output({ toolCallId, offset, text }: UpdateOf<"tool_output_chunk">): void {
    const call = this.#calls.get(toolCallId);
    if (!call?.isSent) return;
    call.output ??= new OutputStream((shown) => this.#showOutput(call, shown));
    call.output.add(offset, text);
  }

  /** Shows a call that a person is asked about, and returns exactly what was shown. */
  asked(permission: Permission, agentName?: string): CallView {
    const { toolCallId, agentId, tool: name, title, effects, preview } = permission;
    const call = this.#call(agentId, { toolCallId, name, title, effects });
    Object.assign(call, { effects, preview, permission, agentName });
    if (!call.isSent) this.#begin(call, "pending");
    else this.#writer.send({ sessionUpdate: "tool_call_update", ...callView(call), status: "pending" });
    return callView(call);
  }

  /** The same again, for the question itself. */
  view({ toolCallId }: Pick<Permission, "toolCallId">): CallView | undefined {
    const call = this.#calls.get(toolCallId);
    return call && callView(call);
  }

  /** No more output of calls that still run is sent. */
  close(): void {
    for (const { output } of this.#calls.values()) output?.close();
    this.#calls.clear();
  }

  #call(agentId: string, { toolCallId, name, title, effects }: CallStart): Call {
    const known = this.#calls.get(toolCallId);
    const input = this.#inputs.get(toolCallId) ?? known?.input;
    this.#inputs.delete(toolCallId);
    const call: Call = known ?? { toolCallId, agentId, name: "", title: "", effects: [], isSent: false };
    Object.assign(call, { input, ...(name && { name }), ...(title && { title }), ...(effects && { effects }) });
    this.#calls.set(toolCallId, call);
    return call;
  }

  #begin(call: Call, status: "pending" | "in_progress"): void {
    if (call.agentId !== this.#agentId && status !== "pending") return;
    call.isSent = true;
    this.#writer.send({ sessionUpdate: "tool_call", ...callView(call), status });
  }

  #end(call: Call, status: "completed" | "failed", outcome: ToolOutcome): void {
    call.output?.close();
    this.#calls.delete(call.toolCallId);
    const rawOutput = { status: outcome.status, text: clipText(outcome.text, MAX_RAW_OUTPUT) };
    const { toolCallId } = call;
    if (call.isSent) {
      const content = isShown(call, outcome) ? {} : { content: outcomeContent(outcome) };
      this.#writer.send({ sessionUpdate: "tool_call_update", toolCallId, status, ...content, rawOutput });
      return;
    }
    if (call.agentId !== this.#agentId) return;
    this.#writer.send({ sessionUpdate: "tool_call", ...endedView(call, outcome), status, rawOutput });
  }

  #showOutput({ toolCallId, effects }: Call, output: string): void {
    const commands = effects.flatMap((effect) => (effect.kind === "run" ? [codeFence(effect.command, "sh")] : []));
    const content = [textContent([...commands, codeFence(output)].join("\n\n"))];
    this.#writer.send({ sessionUpdate: "tool_call_update", toolCallId, content });
  }
}

type CallStart = Pick<UpdateOf<"tool_call_update">, "toolCallId" | "name" | "title" | "effects">;

/** A call that has ended before it was shown: one message has all of it. */
export function endedView(call: CallFacts, outcome: ToolOutcome): CallView {
  const diffs = blocksOf(outcome).filter(({ type }) => type === "diff");
  return { ...callView({ ...call, preview: diffs }), content: outcomeContent(outcome) };
}

function outcomeContent(outcome: ToolOutcome): ToolCallContent[] {
  const images = (outcome.images ?? []).flatMap((part): ToolCallContent[] =>
    part.type === "image"
      ? [{ type: "content", content: { type: "image", data: part.data, mimeType: part.mimeType } }]
      : [],
  );
  return [...blockContent(blocksOf(outcome)), ...images];
}

/** It only writes files. */
function isEdit({ effects }: Call): boolean {
  return (
    effects.some(({ kind }) => kind === "write") && effects.every(({ kind }) => kind === "write" || kind === "read")
  );
}

/** The question showed the diff, and nothing else came of the call: a second diff would be drawn beside it. */
function isShown({ preview = [] }: Call, { status, blocks }: ToolOutcome): boolean {
  const isDiff = ({ type }: Block) => type === "diff";
  return status === "ok" && preview.some(isDiff) && blocks.length > 0 && blocks.every(isDiff);
}
