import {
  ROOT_AGENT,
  type SessionUpdate,
  type ToolOutcome,
  textOf,
  type UpdateOf,
  type UpdateView,
} from "@harness/protocol";
import { outcomeText } from "./outcome-text.ts";

/**
 * The work of the agents, as lines for a terminal: each call as it begins, how it ended, and the text between calls.
 */
export class StepLines implements UpdateView {
  readonly #isSaid: boolean;
  /** Titles of the running calls. */
  readonly #titles = new Map<string, string>();
  /** The call whose line was printed last. */
  #last: string | undefined;

  /** `isSaid`: the main agent's text is shown elsewhere. */
  constructor({ isSaid } = { isSaid: false }) {
    this.#isSaid = isSaid;
  }

  /** The lines that an update adds; they are not safe for a terminal yet. */
  see({ agentId, update }: SessionUpdate): string[] {
    const who = agentId === ROOT_AGENT ? "" : `[${agentId}] `;
    if ("fromFile" in update && update.fromFile) return [];
    if (update.sessionUpdate === "tool_call_update") return this.#call(who, update);
    if (update.sessionUpdate !== "agent_message" || update.stop !== "tool_calls") return [];
    const text = textOf(update.parts).trim();
    if (text === "") return [];
    this.#last = undefined;
    return this.#isSaid && agentId === ROOT_AGENT ? [] : [who + text];
  }

  #call(who: string, { toolCallId, title, outcome }: UpdateOf<"tool_call_update">): string[] {
    const lines: string[] = [];
    if (title !== undefined && this.#titles.get(toolCallId) !== title) {
      this.#titles.set(toolCallId, title);
      this.#last = toolCallId;
      lines.push(`${who}● ${title}`);
    }
    if (!outcome) return lines;
    const known = this.#titles.get(toolCallId);
    // Below its own line a call needs no name.
    const name = this.#last === toolCallId || known === undefined ? "" : `${who}${known}: `;
    this.#titles.delete(toolCallId);
    this.#last = undefined;
    const result = outcomeText(outcome);
    return [...lines, `  ${mark(outcome)} ${name}${result === "" ? "done" : result}`];
  }
}

function mark({ status }: ToolOutcome): string {
  if (status === "ok") return "✓";
  return status === "denied" || status === "cancelled" ? "–" : "✗";
}
