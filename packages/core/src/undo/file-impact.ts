import type { Pass, ToolCategory } from "@harness/gate";

/** The possible impact of a call on files: none, changes, or loss of work that only they hold. */
export type FileImpact = "none" | "changes" | "destroys";

/** A checked command only reads and changes nothing; the same holds for calls that only reach hosts. */
export function fileImpact(category: ToolCategory, { checked, judged }: Pass): FileImpact {
  if (category !== "destructive" || checked) return "none";
  if (judged.some(({ command }) => command?.findings.destructive === true)) return "destroys";
  const isElsewhere = ({ effect: { kind } }: Pass["judged"][number]) =>
    kind === "reach" || kind === "spend" || kind === "read";
  return judged.length > 0 && judged.every(isElsewhere) ? "none" : "changes";
}
