import type { ModelAbilities, ToolMode } from "@harness/protocol";
import type { Findings } from "./verdict.ts";

/**
 * The mode in which the model is offered tools. Calls in its text are read in native mode too. Where trouble of the
 * server left native calls untested, nothing changes. Where no way worked, tools are offered by the API as before,
 * unless the server says that the model has none there.
 */
export function toolModeOf(found: Partial<Findings>, { tools }: ModelAbilities = {}): ToolMode {
  if (!needsHelpWithCalls(found)) return "native";
  if (found.constrained) return "constrained";
  return found.prompted || tools === false ? "prompted" : "native";
}

/** It does not call natively, nor in text that can be read. */
export function needsHelpWithCalls({ native, textForm }: Partial<Findings>): boolean {
  return native === false && textForm === undefined;
}

/** Whether any tested way of calling tools worked. */
export function canCall({ native, textForm, constrained, prompted }: Partial<Findings>): boolean {
  return native === true || textForm !== undefined || constrained === true || prompted === true;
}
