import { changeMode } from "../../modes/change-mode.ts";
import { SWITCH_MODE, switchMode } from "../../modes/switch-mode.ts";
import type { Tool } from "../../ports/tool.ts";
import { putQuestion } from "../../questions/put-question.ts";
import { QUESTION, question } from "../../questions/question.ts";
import {
  START_SUBAGENT,
  type SubagentOrder,
  type SubagentStart,
  startSubagent,
} from "../../subagents/start-subagent.ts";
import type { CallContext } from "../calls/run-call.ts";
import { TOOL_SEARCH } from "./tool-search.ts";

/** Names of the tools that every session has, whatever its table of tools. */
export const coreToolNames: readonly string[] = [START_SUBAGENT, QUESTION, SWITCH_MODE, TOOL_SEARCH];

/** The tools with which an agent speaks to the session: starts another agent, asks the person, changes the mode. */
export function coreTools(start: (order: SubagentOrder, context: CallContext) => SubagentStart): Tool[] {
  return [
    startSubagent(start),
    question((order, { turn, signal }: CallContext) => putQuestion(turn, order, signal)),
    switchMode((mode, { turn, signal }: CallContext) => changeMode(turn, mode, signal)),
  ];
}
