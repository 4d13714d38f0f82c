import { type ReplyCall, type ScriptedReply, wholeText } from "../../story/reply.ts";
import { sealed } from "../../story/seal.ts";

/**
 * The items of a response's `output`: reasoning, then the message, then the calls. Ids of items that follow reasoning
 * begin with `…_r`: the check of later requests uses it to detect that they are returned without it.
 */
export type Item = Record<string, unknown> & { type: string; id: string };

export interface ItemOptions {
  /** The request asked for `reasoning.encrypted_content`. */
  encrypted: boolean;
}

export function reasoningItem(reply: ScriptedReply, options: ItemOptions): Item {
  const open = reply.oddities.reasoningText === true;
  const id = `rs_${reply.key}`;
  return {
    id,
    type: "reasoning",
    summary: open ? [] : [{ type: "summary_text", text: reply.thinking }],
    ...(open && { content: [{ type: "reasoning_text", text: reply.thinking }] }),
    ...(options.encrypted && { encrypted_content: sealed("openai", `${id}\n${reply.thinking}`) }),
  };
}

export function messageItem(reply: ScriptedReply, status: "in_progress" | "completed" | "incomplete"): Item {
  const text = wholeText(reply);
  const content = [
    ...(text === "" ? [] : [outputText(text)]),
    ...(reply.refusal === "" ? [] : [{ type: "refusal", refusal: reply.refusal }]),
  ];
  return {
    id: itemId("msg", reply, 0),
    type: "message",
    status,
    role: "assistant",
    content: status === "in_progress" ? [] : content,
  };
}

export function callItem(reply: ScriptedReply, call: ReplyCall, index: number, done: boolean): Item {
  return {
    id: itemId("fc", reply, index),
    type: "function_call",
    status: done ? (call.cut ? "incomplete" : "completed") : "in_progress",
    arguments: done ? call.argumentsText : "",
    ...(call.id !== undefined && { call_id: call.id }),
    name: call.name,
  };
}

export function outputText(text: string): Record<string, unknown> {
  return { type: "output_text", annotations: [], logprobs: [], text };
}

export function saysSomething(reply: ScriptedReply): boolean {
  return reply.text !== "" || reply.refusal !== "" || reply.generate !== undefined;
}

export function outputOf(reply: ScriptedReply, options: ItemOptions): Item[] {
  const cut = reply.stop === "length" || reply.stop === "contentFilter";
  return [
    ...(reply.thinking === "" ? [] : [reasoningItem(reply, options)]),
    ...(saysSomething(reply) ? [messageItem(reply, cut ? "incomplete" : "completed")] : []),
    ...reply.calls.map((call, index) => callItem(reply, call, index, true)),
  ];
}

function itemId(prefix: string, reply: ScriptedReply, index: number): string {
  return `${prefix}_${reply.thinking === "" ? "" : "r"}${reply.key}_${index}`;
}
