import type { Approval, ToolCategory } from "@harness/gate";

/** The possible impact of a call on files: none, changes, or the loss of work that exists only there. */
export type FileImpact = "none" | "changes" | "destroys";

/** A checked command only reads and changes nothing; the same holds for calls that only reach hosts. */
export function fileImpact(category: ToolCategory, { checked, resolved }: Approval): FileImpact {
  if (category !== "destructive" || checked) return "none";
  if (resolved.some(({ command }) => command?.findings.destructive === true)) return "destroys";
  const isElsewhere = ({ effect: { kind } }: Approval["resolved"][number]) =>
    kind === "reach" || kind === "spend" || kind === "read";
  return resolved.length > 0 && resolved.every(isElsewhere) ? "none" : "changes";
}
