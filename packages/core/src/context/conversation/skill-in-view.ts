import type { ModelMessage } from "../../ports/provider.ts";

/** The first line of a skill's text, which names the skill and where it comes from. */
const MARK_CHARS = 300;

/**
 * True if these messages contain the text of a skill. Its beginning is enough, as long results are cut in the middle.
 */
export function hasSkillText(messages: readonly ModelMessage[], text: string): boolean {
  const mark = skillMark(text);
  return messages.some((message) => {
    if (message.role === "tool") return message.text.includes(mark);
    return message.role === "user" && message.content.some((part) => part.type === "text" && part.text.includes(mark));
  });
}

/** A short mark that identifies the text of a skill in the conversation. */
export function skillMark(text: string): string {
  return text.split("\n", 1)[0]?.slice(0, MARK_CHARS) ?? "";
}
