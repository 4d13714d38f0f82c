import type { SessionUpdate as AcpUpdate } from "@agentclientprotocol/sdk/unstable";
import type { Content, UpdateOf } from "@harness/protocol";

/** A message of the person, for a client that does not show it already. Messages of harness and of agents are none. */
export function userChunks({
  messageId,
  content,
  origin,
}: Pick<UpdateOf<"user_message">, "messageId" | "content" | "origin">): AcpUpdate[] {
  if (origin !== "user") return [];
  return content.flatMap((part) => userChunk(messageId, part));
}

function userChunk(messageId: string, part: Content): AcpUpdate[] {
  if (part.type === "image")
    return [
      {
        sessionUpdate: "user_message_chunk",
        messageId,
        content: { type: "image", data: part.data, mimeType: part.mimeType },
      },
    ];
  return part.text === ""
    ? []
    : [{ sessionUpdate: "user_message_chunk", messageId, content: { type: "text", text: part.text } }];
}
