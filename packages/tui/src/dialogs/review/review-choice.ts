import type { ReviewChoice } from "../../state/dialogs.ts";

/** True for the answers to one change, which their character gives when it is typed again. */
export function isConfirmable(choice: ReviewChoice | undefined): boolean {
  return choice === "takeHunk" || choice === "rejectHunk";
}
