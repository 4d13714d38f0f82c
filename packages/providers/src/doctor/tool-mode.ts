import type { ModelAbilities, ToolMode } from "@harness/protocol";
import type { Findings } from "./verdict.ts";

/**
 * How the model should be offered tools. Calls in its text are read in native mode too. Where it is not known whether it
 * calls natively, because its server was in trouble, nothing is changed; and where no way was found, it is offered them as
 * before: by its API, unless its server says that it has no tools there.
 */
export function toolModeOf(found: Partial<Findings>, { tools }: ModelAbilities = {}): ToolMode {
  if (!needsOtherWay(found)) return "native";
  if (found.constrained) return "constrained";
  return found.prompted || tools === false ? "prompted" : "native";
}

/** It does not call natively, nor in text that can be read. */
export function needsOtherWay({ native, textForm }: Partial<Findings>): boolean {
  return native === false && textForm === undefined;
}

/** Is there a way in which it calls tools, as far as was tried? */
export function canCall({ native, textForm, constrained, prompted }: Partial<Findings>): boolean {
  return native === true || textForm !== undefined || constrained === true || prompted === true;
}
