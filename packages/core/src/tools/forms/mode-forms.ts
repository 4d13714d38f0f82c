import type { ToolAlias } from "../../ports/tool.ts";
import { without } from "../argument-names.ts";
import { SWITCH_MODE } from "../switch-mode.ts";

/** How other agents go into planning mode and out of it, among them `ExitPlanMode` of Claude Code. */
export const modeForms: readonly ToolAlias[] = [
  { name: "EnterPlanMode", tool: SWITCH_MODE, convert: (input) => ({ ...input, mode: "planning" }) },
  {
    name: "ExitPlanMode",
    tool: SWITCH_MODE,
    // Where the plan is in a file of that program, the last message has it as well.
    convert: (input) => ({
      ...without(input, "allowedPrompts", "plan_path", "plan_filename", "planFilePath"),
      mode: "agent",
    }),
  },
];
