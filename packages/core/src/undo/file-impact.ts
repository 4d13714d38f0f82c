import type { Pass, ToolCategory } from "@harness/gate";

/** What a call may do to files: nothing, change them, or throw away work that only they hold. */
export type FileImpact = "none" | "changes" | "destroys";

/** A command that was let through because it only reads changes nothing, nor does what only reaches out. */
export function fileImpact(category: ToolCategory, { checked, judged }: Pass): FileImpact {
  if (category !== "destructive" || checked) return "none";
  if (judged.some(({ command }) => command?.findings.destructive === true)) return "destroys";
  const isElsewhere = ({ effect: { kind } }: Pass["judged"][number]) =>
    kind === "reach" || kind === "spend" || kind === "read";
  return judged.length > 0 && judged.every(isElsewhere) ? "none" : "changes";
}
