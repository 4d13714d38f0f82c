import type { ToolCall, ToolCallContent, ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk/unstable";
import { type Block, clipText, type Effect, type Permission, visibleText } from "@harness/protocol";
import { blockContent, textContent } from "./block-content.ts";
import { codeFence } from "./code-fence.ts";
import { diffLocations } from "./diff-content.ts";

/** A call before it has ended. */
export type CallFacts = {
  toolCallId: string;
  name: string;
  title: string;
  effects: readonly Effect[];
  /** Its arguments; absent if they were not an object. */
  input?: Readonly<Record<string, unknown>> | undefined;
  /** The subagent that made it; absent for the agent that the person talks to. */
  agentName?: string | undefined;
  /** A diff or a command, as the permission dialog shows it. */
  preview?: readonly Block[];
  permission?: Pick<Permission, "reason" | "notes"> | undefined;
};

/** The fields that a `tool_call` and a `session/request_permission` have in common. */
export type CallView = Required<Pick<ToolCall, "toolCallId" | "title" | "kind" | "content" | "locations">> &
  Pick<ToolCall, "name" | "rawInput">;

const MAX_TITLE = 300;

/**
 * The one description of a call: with the same facts, the message that shows it and the one that asks about it are
 * equal, so that a client may draw either.
 */
export function callView(facts: CallFacts): CallView {
  const { toolCallId, name, input } = facts;
  return {
    toolCallId,
    ...(name === "" ? {} : { name }),
    title: callTitle(facts),
    kind: callKind(facts),
    content: callContent(facts),
    locations: callLocations(facts),
    ...(input ? { rawInput: input } : {}),
  };
}

/** The command itself: clients show the title of a command as what will run. */
function callTitle({ title, effects, agentName }: CallFacts): string {
  const commands = effects.flatMap((effect) => (effect.kind === "run" ? [effect.command.trim()] : []));
  const [command] = commands;
  const words = command !== undefined && commands.length === 1 ? command : title;
  return clipText(visibleText(agentName === undefined ? words : `${agentName}: ${words}`), MAX_TITLE);
}

function callKind({ effects, input, preview = [] }: CallFacts): ToolKind {
  const kinds = new Set(effects.map(({ kind }) => kind));
  if (kinds.has("run")) return "execute";
  if (kinds.has("mcp")) return "other";
  const diffs = preview.filter((block) => block.type === "diff");
  if (diffs.length > 0 && diffs.every(({ change }) => change === "delete")) return "delete";
  if (kinds.has("write") || diffs.length > 0) return "edit";
  if (kinds.has("reach")) return "fetch";
  if (!kinds.has("read")) return "other";
  return ["pattern", "query"].some((name) => typeof input?.[name] === "string") ? "search" : "read";
}

function callContent({ effects, preview = [], permission }: CallFacts): ToolCallContent[] {
  const shown = blockContent(preview);
  const commands = effects.flatMap((effect) => (effect.kind === "run" ? [effect.command] : []));
  const isShown = preview.some(({ type }) => type === "terminal");
  return [
    ...(isShown ? [] : commands.map((command) => textContent(codeFence(command, "sh")))),
    ...shown,
    ...noteContent(permission),
  ];
}

/** Why it is asked about, and what the gate has found in it. */
function noteContent(permission: CallFacts["permission"]): ToolCallContent[] {
  if (!permission) return [];
  const { reason, notes = [] } = permission;
  const lines = notes.map(({ kind, text }) => `- ${kind}: ${visibleText(text)}`);
  const text = [visibleText(reason), ...lines].join("\n");
  return text.trim() === "" ? [] : [textContent(text)];
}

function callLocations({ effects, preview = [], input }: CallFacts): ToolCallLocation[] {
  const inDiffs = preview.flatMap((block) => (block.type === "diff" ? diffLocations(block) : []));
  const changed = new Set(inDiffs.map(({ path }) => path));
  const paths = new Set(effects.flatMap((effect) => ("path" in effect ? [effect.path] : [])));
  const line = paths.size === 1 ? firstLine(input) : undefined;
  const others = [...paths]
    .filter((path) => !changed.has(path))
    .map((path) => (line === undefined ? { path } : { path, line }));
  return [...inDiffs, ...others];
}

/** Where a call that reads a part of a file begins. */
function firstLine(input: CallFacts["input"]): number | undefined {
  const line = input?.offset;
  return typeof line === "number" && Number.isInteger(line) && line >= 1 ? line : undefined;
}
