import type { Block, Effect, Permission, PermissionNote, PermissionOption } from "@harness/protocol";
import { describeGrants, grantsFor } from "../answers/grant.ts";
import { describeRules, lastingRules } from "../answers/lasting-rule.ts";
import type { Offer } from "../answers/permission-answer.ts";
import type { Verdict } from "../decide.ts";
import type { Evaluation } from "../evaluate-call.ts";

export type RequestSubject = {
  permissionId: string;
  agentId: string;
  toolCallId: string;
  tool: string;
  title: string;
  effects: Effect[];
  preview: Block[];
  notes: PermissionNote[];
};

/** A person does not read more than this before answering, and no rule is kept for unread text. */
const MAX_READ = 10_000;

/** `base`: what path patterns of kept rules start from; absent: the session's folder. */
export function offerFor(
  tool: string,
  { verdict, approval: { resolved, roots } }: Evaluation,
  preview: readonly Block[],
  base?: string,
): Offer {
  const [root = "/"] = roots;
  if (verdict.always || verdict.risk === "high") return { turn: false, session: [], always: [] };
  const isLong =
    JSON.stringify(preview).length > MAX_READ || resolved.some(({ command }) => command?.problem !== undefined);
  return {
    turn: verdict.plainWrites,
    session: grantsFor(tool, resolved, root),
    always: isLong ? [] : lastingRules(tool, resolved, root, base),
  };
}

/**
 * The request as people see it. /permissions shows where lasting rules are kept: the dialog has no room for long paths.
 */
export function permissionRequest(subject: RequestSubject, verdict: Verdict, offer: Offer): Permission {
  const options = verdict.movedRoots ? meantOrNot : optionsFor(offer);
  return { ...subject, reason: verdict.reason, risk: verdict.risk, options };
}

/** A folder of the workspace leads to another place: the answer is about that, and the call is judged after it. */
const meantOrNot: PermissionOption[] = [option("allow_once", "Yes, work there"), option("reject_once", "Deny")];

function optionsFor({ turn, session, always }: Offer): PermissionOption[] {
  const options: PermissionOption[] = [option("allow_once", "Allow once")];
  if (turn) {
    const covers = "changes of ordinary files in the workspace";
    options.push(option("allow_turn", "Allow for this turn", covers));
  }
  if (session.length > 0) {
    // The question has the command in full: said once more it would only be in the way of the rest.
    const isCommand = session.every(({ kind }) => kind === "run");
    const covers = isCommand ? "this very command" : describeGrants(session);
    options.push(option("allow_session", "Allow for this session", covers));
  }
  const kept = `${describeRules(always)} (kept for this project)`;
  if (always.length > 0) options.push(option("allow_always", "Always allow", kept));
  options.push(option("reject_once", "Deny"));
  if (always.length > 0) options.push(option("reject_always", "Always deny", kept));
  return options;
}

function option(kind: PermissionOption["kind"], name: string, covers?: string): PermissionOption {
  return { optionId: kind, name, kind, ...(covers === undefined ? {} : { covers }) };
}

/** The preview of a call whose tool has none of its own. */
export function plainPreview(effects: readonly Effect[]): Block[] {
  return effects.flatMap((effect): Block[] =>
    effect.kind === "run"
      ? [{ type: "terminal", command: effect.command, output: "", exitCode: null, durationMs: 0 }]
      : [],
  );
}
