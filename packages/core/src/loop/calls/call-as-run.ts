import type { ToolCallPart } from "@harness/protocol";
import type { Turn } from "../turn/turn.ts";
import { prepareCall } from "./prepare-call.ts";

/**
 * The tool and the arguments that would run, whatever name the model used: an extension that judges calls by name must
 * not be bypassed by an alias. A call that cannot run is as the model wrote it.
 */
export function callAsRun(turn: Turn, part: ToolCallPart): { name: string; input: unknown } {
  const { name, args } = prepareCall(turn, part, { isCut: false, isTooMany: false, isTooDeep: false });
  return { name, input: args };
}
