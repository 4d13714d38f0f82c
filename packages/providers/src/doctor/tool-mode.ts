import type { ToolMode } from "@harness/protocol";
import type { Findings } from "./probe.ts";

/**
 * How the model should be offered tools. Calls in its text are read in native mode too. Where it is not known whether it
 * calls natively, because its server was in trouble, nothing is changed.
 */
export function toolModeOf({ native, textForm, constrained }: Partial<Findings>): ToolMode {
  if (native !== false || textForm !== undefined) return "native";
  return constrained ? "constrained" : "prompted";
}

/** Is there a way in which it calls tools, as far as was tried? */
export function canCall({ native, textForm, constrained, prompted }: Partial<Findings>): boolean {
  return native === true || textForm !== undefined || constrained === true || prompted === true;
}
