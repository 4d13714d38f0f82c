import type { ToolCallPart } from "@harness/protocol";
import type { Turn } from "../turn/turn.ts";
import { prepareCall } from "./prepare-call.ts";

/**
 * The tool and the arguments that would run, whatever the model has called them: somebody who judges a call by its name must
 * not be passed by with an alias. A call that cannot run is as the model wrote it.
 */
export function callAsRun(turn: Turn, part: ToolCallPart): { name: string; input: unknown } {
  const { name, args } = prepareCall(turn, part, { isCut: false, isTooMany: false, isTooDeep: false });
  return { name, input: args };
}
