import { textOf } from "@harness/protocol";
import { messageChars } from "../tokens/estimate-tokens.ts";
import type { Projection } from "./projection.ts";

/** The part of a conversation that the model can see: its end, and the preceding summary if that is close enough. */
export type View = {
  /** Earlier facts are out of view. */
  fromSeq: number;
  /** Empty if there is none, or if it is too far back. */
  summary: string;
  /** The latest working-context block among the messages. */
  block?: { seq: number; text: string };
};

/** The last `maxChars` characters of the messages; undefined: nothing is out of view. */
export function viewOf(projection: Projection, maxChars: number): View | undefined {
  const { messages, compaction } = projection;
  if (projection.chars < maxChars && !compaction) return undefined;
  const block = blockOf(projection);
  const first = compaction ? 1 : 0;
  let chars = 0;
  for (let index = messages.length - 1; index >= first; index -= 1) {
    const message = messages[index];
    chars += message ? messageChars(message) : 0;
    if (chars >= maxChars) return { fromSeq: projection.seqAt(index), summary: "", ...block };
  }
  return { fromSeq: projection.seqAt(first), summary: compaction?.summary ?? "", ...block };
}

function blockOf(projection: Projection): Pick<View, "block"> {
  const at = projection.messages.findLastIndex((message) => projection.isWorkingContext(message));
  const message = projection.messages[at];
  return message?.role === "user" ? { block: { seq: projection.seqAt(at), text: textOf(message.content) } } : {};
}
