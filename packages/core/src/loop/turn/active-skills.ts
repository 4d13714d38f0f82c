import type { ActiveSkill, Content } from "@harness/protocol";
import { hasSkillText, skillMark } from "../../context/conversation/skill-in-view.ts";
import type { Agent } from "./agent.ts";

/**
 * The texts of active skills that the agent no longer has in view, to go with its next message. Empty while the system
 * text is about to be written, which will include them.
 */
export function skillTexts(agent: Agent, active: readonly ActiveSkill[], content: readonly Content[]): Content[] {
  const { systemText } = agent;
  if (systemText === undefined) return [];
  const isGiven = (text: string) =>
    content.some((part) => part.type === "text" && part.text.includes(skillMark(text))) ||
    systemText.includes(skillMark(text)) ||
    hasSkillText(agent.projection.messages, text);
  return active.filter(({ text }) => !isGiven(text)).map(({ text }) => ({ type: "text", text }));
}
