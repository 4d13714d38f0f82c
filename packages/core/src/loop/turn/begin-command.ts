import { type GateCall, isReadOnlyCommand, mcpToolsNamed } from "@harness/gate";
import { type Content, type PromptCommand, ROOT_AGENT } from "@harness/protocol";
import type { Turn } from "./turn.ts";

/**
 * Applies a slash command to the rest of the turn. Returns the content that goes with the message itself; if the
 * command makes calls first, its content comes before the next request instead.
 */
export function beginCommand(turn: Turn, command: PromptCommand, promptId: string): Content[] {
  const { pieces, from } = command;
  if (turn.agent.agentId === ROOT_AGENT) {
    const { settings, calls, prompts } = turn.scope;
    settings.beginCommand(command);
    // A prompt that waited in the log grants no permissions: others may have written it there.
    const { allow = [] } = prompts.isGiven(promptId) ? command : {};
    calls.gate.allowForTurn(ROOT_AGENT, allow, { tools: turn.agent.tools.current().tools, where: from });
    calls.gate.modeChanged();
  }
  if (pieces.some((piece) => "tool" in piece)) {
    turn.unwritten.push(command);
    return [];
  }
  const text = pieces.map((piece) => ("text" in piece ? piece.text : "")).join("");
  return text.trim() === "" ? [] : [{ type: "text", text }];
}

/** Why the slash command of the running turn rules out a call, for the model; undefined if it does not. */
export function commandRefusal(
  command: PromptCommand | undefined,
  { tool, category, effects }: Pick<GateCall, "tool" | "category" | "effects">,
): string | undefined {
  if (!command || category === "readOnly" || category === "signal") return undefined;
  const { name, only, looks } = command;
  if (looks && !effects.every((each) => each.kind === "run" && isReadOnlyCommand(each)))
    return `denied: \`${name}\`, the command of this turn, changes nothing: only tools that look are there, and commands that provably only read. Go on without \`${tool}\`.`;
  const named = { name: tool, mcp: effects.find((each) => each.kind === "mcp") };
  if (!only || only.some((each) => each === tool || mcpToolsNamed(each)?.(named))) return undefined;
  const names = only.length === 0 ? "none that changes anything" : only.join(", ");
  return `denied: \`${name}\`, the command of this turn, allows only these tools: ${names}. Go on without \`${tool}\`.`;
}
