import type { Block } from "@harness/protocol";
import { cutResult } from "../../context/cut-result.ts";
import { sanitizeText } from "../../context/sanitize-text.ts";
import { canBeAskedAgain } from "../../context/shrinking/useless-results.ts";
import { resultLimitChars } from "../../context/tokens/usable-tokens.ts";
import type { ToolResult } from "../../ports/tool.ts";
import type { Turn } from "../turn/turn.ts";
import { type ReadyCall, reachOf } from "./prepare-call.ts";
import { limitFor } from "./tool-limits.ts";

/**
 * The result for the model: never empty, valid, and within the limit of its context window, with the notes on the call.
 * `blocks`: the result for people, who see a repair in place of the notes.
 */
export function resultTexts(turn: Turn, call: ReadyCall, result: ToolResult, spilled: string | undefined) {
  const valid = sanitizeText(result.text);
  const whole = valid.trim() === "" ? "(no output)" : valid;
  const contextWindow = turn.choice?.contextWindow.tokens ?? Number.MAX_SAFE_INTEGER;
  const own = limitFor(turn.scope.settings.values.toolLimits.resultChars, call.tool) ?? Number.MAX_SAFE_INTEGER;
  const maxChars = Math.min(resultLimitChars(contextWindow), own);
  const { log } = turn.scope.ports;
  const isKept = whole.length <= maxChars || canBeAskedAgain(reachOf(call, log.header.cwd));
  const saved = spilled ?? (isKept ? undefined : log.saveText(whole));
  const text = cutResult(whole, maxChars, saved);
  const isOnlyText = call.notes.length > 0 && result.blocks.length === 0;
  const blocks: Block[] = isOnlyText ? [{ type: "text", text }] : result.blocks;
  return { text: [text, ...call.notes].join("\n"), blocks };
}
