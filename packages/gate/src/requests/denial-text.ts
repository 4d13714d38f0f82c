import type { PermissionMode } from "@harness/protocol";
import type { Verdict } from "../decide.ts";

const advice = "It did not run. Do not retry the same call or work around the denial.";

/** Tells the model what was denied, by whom, and what not to do. */
export function denialText(title: string, verdict: Verdict, permissionMode: PermissionMode): string {
  const { by, reason, always } = verdict;
  switch (by) {
    case "agent mode":
      return reason;
    case "rule":
    case "hook":
      return `Denied: ${title}. It ${reason}.\n${advice}`;
    case "sandbox":
      return `Denied: ${title}. It ${reason}.\nThe person can mend the sandbox, or change the setting \`sandbox\`. ${advice}`;
    case "nobody": {
      const asked = always
        ? "it is asked in every mode, and nobody can be asked in this run"
        : "nobody can be asked in this run; allow it with --allow or --permission-mode";
      return `Denied: ${title}. It ${reason}; ${asked}.\n${advice}`;
    }
    default:
      if (permissionMode === "plan") return plannedText(title);
      return `Denied: ${title}. It ${reason}; the permission mode does not allow it.\n${advice}`;
  }
}

/** Plan mode wants words instead of deeds. */
function plannedText(title: string): string {
  return `Denied: ${title}. This session is in plan mode: describe instead what you would change and how. Do not retry the same call.`;
}

/** The same when a person was asked, in their words. */
export function refusalText(
  title: string,
  { reason }: Verdict,
  { answered, feedback }: { answered: boolean; feedback?: string },
): string {
  const said = answered ? "the person said no" : "the question was left unanswered";
  const words = feedback === undefined ? "" : `\nTheir words: ${feedback}`;
  return `Denied: ${title}. It ${reason}; ${said}.${words}\n${advice}`;
}
