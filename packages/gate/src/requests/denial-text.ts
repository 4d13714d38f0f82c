import type { Verdict } from "../decide.ts";

const advice = "It did not run. Do not retry the same call or work around the denial.";

/** The denial for the model: the call, the decider, and the advice. */
export function denialText(title: string, verdict: Verdict): string {
  const { by, reason, always, rule } = verdict;
  switch (by) {
    case "agent mode":
      return reason;
    case "rule":
    case "hook":
      return `Denied: ${title}. It ${reason}.\n${advice}`;
    case "sandbox":
      return `Denied: ${title}. It ${reason}.\nThe person can repair the sandbox, or change the setting \`sandbox\`. ${advice}`;
    case "nobody": {
      const why = always
        ? "it is asked in every mode, and nobody can be asked in this run"
        : rule
          ? "nobody can be asked in this run, and no --allow covers it: only the person can allow it"
          : "nobody can be asked in this run; allow it with --allow or --permission-mode";
      return `Denied: ${title}. It ${reason}; ${why}.\n${advice}`;
    }
    default:
      return `Denied: ${title}. It ${reason}; the permission mode does not allow it.\n${advice}`;
  }
}

/** The same after the user was asked, with their words. */
export function refusalText(
  title: string,
  { reason }: Verdict,
  { answered, feedback }: { answered: boolean; feedback?: string },
): string {
  const why = answered ? "the person said no" : "the question was left unanswered";
  const words = feedback === undefined ? "" : `\nTheir words: ${feedback}`;
  return `Denied: ${title}. It ${reason}; ${why}.${words}\n${advice}`;
}

/** The text for people about a denial by their settings, which they know: no advice is needed. */
export function shownDenial({ by, reason }: Verdict): string {
  switch (by) {
    case "agent mode":
      return reason;
    case "rule":
    case "hook":
      return `It ${reason}.`;
    case "sandbox":
      return `It ${reason}. Repair the sandbox, or change the setting \`sandbox\`.`;
    case "nobody":
      return `It ${reason}, and nobody could be asked.`;
    default:
      return `It ${reason}; the permission mode does not allow it.`;
  }
}

/** The text for people about a question that was not answered with yes. */
export function shownRefusal({ answered, feedback }: { answered: boolean; feedback?: string }): string {
  if (!answered) return "Nobody answered.";
  return feedback === undefined ? "You denied this." : `You denied this: "${feedback}"`;
}
