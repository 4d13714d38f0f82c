import { createHash } from "node:crypto";
import {
  type AgentPart,
  type Content,
  type ImagePart,
  type ToolOutcome,
  textOf,
  type UpdateOf,
} from "@harness/protocol";

/** Why a reply ended, in the words of the files: `error` stands for all that is neither a normal end nor a full window. */
export type SavedStop = "end" | "tool_calls" | "length" | "error";

/** The content of a message file: a message of the main agent's conversation, as the model gets it. */
export type SavedMessage =
  | ({ role: "user"; content: Content[]; attached: Content[] } & Pick<
      UpdateOf<"user_message">,
      "origin" | "fromAgentId" | "kind"
    >)
  | ({ role: "assistant"; parts: AgentPart[]; stop: SavedStop } & Pick<
      UpdateOf<"agent_message">,
      "provider" | "model" | "usage"
    >)
  | ({ role: "tool_result"; callId: string; tool: string; text: string; images: ImagePart[] } & Pick<
      ToolOutcome,
      "status"
    >);

export type SavedRole = SavedMessage["role"];

/** The ids of the calls of a reply, or of the one that a result answers. */
export function callsOf(message: SavedMessage): string[] {
  if (message.role === "tool_result") return [message.callId];
  if (message.role === "user") return [];
  return message.parts.flatMap((part) => (part.type === "tool_call" ? [part.toolCallId] : []));
}

/** True for a reply without text and calls: no model gets it. */
export function isVoid(message: SavedMessage): boolean {
  return message.role === "assistant" && callsOf(message).length === 0 && textOf(message.parts).trim() === "";
}

/** A message of harness itself to the model. */
export function isHarness(message: SavedMessage): boolean {
  return message.role === "user" && message.origin === "harness";
}

/** The file that holds a picture, in `images/` beside the messages: its name follows from what it shows. */
export function pictureName({ mimeType, data }: ImagePart): string {
  const kind = /^image\/([a-z0-9]{1,8})/.exec(mimeType)?.[1] ?? "bin";
  return `${createHash("sha256").update(data, "base64").digest("hex").slice(0, 24)}.${kind}`;
}

export function picturesIn(message: SavedMessage): ImagePart[] {
  const all: readonly (Content | AgentPart)[] =
    message.role === "user"
      ? [...message.content, ...message.attached]
      : message.role === "tool_result"
        ? message.images
        : [];
  return all.filter((part) => part.type === "image");
}
