import type { Block, Effect, Permission, PermissionOption, PermissionOutcome } from "@harness/protocol";
import type { Verdict } from "./decide.ts";
import type { JudgedEffect } from "./rule.ts";
import { type Grant, grantsFor, grantWords } from "./session-grant.ts";

export type QuestionSubject = {
  permissionId: string;
  agentId: string;
  toolCallId: string;
  tool: string;
  title: string;
  effects: Effect[];
  judged: readonly JudgedEffect[];
  /** Real path of the workspace. */
  root: string;
  preview: Block[];
};

/** The question as people see it. What is asked each time, as high risk is, offers no answer for the whole session. */
export function permissionQuestion(subject: QuestionSubject, verdict: Verdict): Permission {
  const { judged, root, ...shown } = subject;
  const grants = verdict.always || verdict.risk === "high" ? [] : grantsFor(subject.tool, judged, root);
  return { ...shown, reason: verdict.reason, risk: verdict.risk, options: optionsFor(grants) };
}

function optionsFor(grants: readonly Grant[]): PermissionOption[] {
  const session: PermissionOption[] =
    grants.length === 0
      ? []
      : [
          {
            optionId: "allow_session",
            name: "Allow for this session",
            kind: "allow_session",
            covers: grantWords(grants),
          },
        ];
  return [
    { optionId: "allow_once", name: "Allow once", kind: "allow_once" },
    ...session,
    { optionId: "reject_once", name: "Deny", kind: "reject_once" },
  ];
}

export type PermissionAnswer =
  | { allowed: true; grants: Grant[] }
  | { allowed: false; feedback?: string; answered: boolean };

/** What an outcome means; an option that was not offered allows nothing. */
export function readAnswer(subject: QuestionSubject, asked: Permission, outcome: PermissionOutcome): PermissionAnswer {
  if (outcome.outcome === "cancelled") return { allowed: false, answered: false };
  const option = asked.options.find((each) => each.optionId === outcome.optionId);
  if (option?.kind === "allow_once") return { allowed: true, grants: [] };
  if (option?.kind === "allow_session")
    return { allowed: true, grants: grantsFor(subject.tool, subject.judged, subject.root) };
  return { allowed: false, answered: true, ...(outcome.feedback ? { feedback: outcome.feedback } : {}) };
}

/** What would be shown of a call whose tool has no preview of its own. */
export function plainPreview(effects: readonly Effect[]): Block[] {
  return effects.flatMap((effect): Block[] =>
    effect.kind === "run"
      ? [{ type: "terminal", command: effect.command, output: "", exitCode: null, durationMs: 0 }]
      : [],
  );
}

/** Tells the model what was denied, by whom, in whose words, and what not to do. */
export function deniedText(title: string, verdict: Verdict, answer?: { feedback?: string; answered: boolean }): string {
  const advice = "It did not run. Do not retry the same call or work around the denial.";
  if (verdict.by === "rule") return `Denied: ${title}. It ${verdict.reason}.\n${advice}`;
  const by = answer ? (answer.answered ? "the person said no" : "the question was left unanswered") : denier(verdict);
  const words = answer?.feedback ? `\nTheir words: ${answer.feedback}` : "";
  return `Denied: ${title}. It ${verdict.reason}; ${by}.${words}\n${advice}`;
}

function denier(verdict: Verdict): string {
  switch (verdict.by) {
    case "nobody":
      if (verdict.always) return "it is asked in every mode, and nobody can be asked in this run";
      return "nobody can be asked in this run; allow it with --allow or --permission-mode";
    default:
      return "the permission mode does not allow it";
  }
}

/** Plan mode wants words instead of deeds. */
export function plannedText(title: string): string {
  return `Denied: ${title}. This session is in plan mode: describe instead what you would change and how. Do not retry the same call.`;
}
