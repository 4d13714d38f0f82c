import type { AgentPart, Content, Shortening } from "@harness/protocol";
import type { ModelMessage } from "../../ports/provider.ts";
import { wellFormedEnds } from "../cut-result.ts";

/** A text as later requests contain it. */
function shortenText(text: string, { head, tail, note }: Pick<Shortening, "head" | "tail" | "note">): string {
  if (head + tail >= text.length) return `${text}\n${note}`;
  const first = wellFormedEnds(text.slice(0, head));
  const last = tail > 0 ? wellFormedEnds(text.slice(-tail)) : "";
  return [first, note, last].filter((part) => part !== "").join("\n");
}

/**
 * The messages that a `context_update` changes, by index. `seqs`: the seqs of the messages' facts. Messages that a
 * rewind or a compaction has removed are skipped.
 */
export function shortenMessages(
  messages: readonly ModelMessage[],
  seqs: readonly number[],
  shortened: readonly Shortening[],
): Map<number, ModelMessage> {
  const results = new Map<string, Shortening>();
  const texts = new Map<number, Shortening[]>();
  for (const each of shortened) {
    if (each.toolCallId !== undefined) results.set(each.toolCallId, each);
    else if (each.seq !== undefined) texts.set(each.seq, [...(texts.get(each.seq) ?? []), each]);
  }
  const changed = new Map<number, ModelMessage>();
  messages.forEach((message, index) => {
    const result = message.role === "tool" ? results.get(message.toolCallId) : undefined;
    if (result && message.role === "tool") {
      const { images, ...rest } = message;
      const shown = images && !result.withoutPictures ? { images } : {};
      changed.set(index, { ...rest, text: shortenText(message.text, result), ...shown });
    }
    const parts = message.role === "tool" ? undefined : texts.get(seqs[index] ?? 0);
    if (parts && message.role === "user") changed.set(index, { role: "user", content: shortenParts(message, parts) });
    if (parts && message.role === "assistant") changed.set(index, { ...message, parts: shortenReply(message, parts) });
  });
  return changed;
}

function shortenParts({ content }: { content: readonly Content[] }, shortened: readonly Shortening[]): Content[] {
  const withoutPictures = shortened.find((each) => each.withoutPictures);
  let text = -1;
  return content.map((part) => {
    if (part.type !== "text") return withoutPictures ? { type: "text", text: withoutPictures.note } : part;
    text += 1;
    const how = shortened.find((each) => each.part === text);
    return how ? { type: "text", text: shortenText(part.text, how) } : part;
  });
}

/** Thoughts are dropped, because a vendor's signature is only valid for the unmodified whole. */
function shortenReply({ parts }: { parts: readonly AgentPart[] }, shortened: readonly Shortening[]): AgentPart[] {
  let number = -1;
  return parts.flatMap((part): AgentPart[] => {
    if (part.type === "tool_call") return [part];
    number += 1;
    const how = shortened.find((each) => each.part === number);
    if (!how) return [part];
    return part.type === "thinking" ? [] : [{ ...part, text: shortenText(part.text, how) }];
  });
}
