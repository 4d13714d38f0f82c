import type { ModelAbilities, ToolMode } from "@harness/protocol";
import type { Findings } from "./verdict.ts";

/**
 * The mode in which tools are offered to the model. Calls in its text are read in native mode too. If server trouble
 * left native calls untested, nothing changes. If no way worked, tools are offered through the API as before, unless
 * the server says that the model has none.
 */
export function toolModeOf(found: Partial<Findings>, { tools }: ModelAbilities = {}): ToolMode {
  if (!needsHelpWithCalls(found)) return "native";
  if (found.constrained) return "constrained";
  return found.prompted || tools === false ? "prompted" : "native";
}

/** True if it calls tools neither natively nor in readable text. */
export function needsHelpWithCalls({ native, textForm }: Partial<Findings>): boolean {
  return native === false && textForm === undefined;
}

/** True if any tested way of calling tools worked. */
export function canCall({ native, textForm, constrained, prompted }: Partial<Findings>): boolean {
  return native === true || textForm !== undefined || constrained === true || prompted === true;
}
