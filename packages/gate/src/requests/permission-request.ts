import type { Block, Effect, Permission, PermissionNote, PermissionOption } from "@harness/protocol";
import { grantsFor } from "../answers/grant.ts";
import { lastingRules } from "../answers/lasting-rule.ts";
import type { Offer } from "../answers/permission-answer.ts";
import type { Verdict } from "../decide.ts";
import type { Evaluation } from "../evaluate-call.ts";
import { grantedText, type OfferLocations, ruledText } from "./offer-text.ts";

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

/** Nobody reads more than this before answering, and no rule is saved for unread text. */
const MAX_READ = 10_000;

/** `base`: the folder that path patterns of saved rules are relative to; absent: the session's. */
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

/** The request for display. /permissions shows where lasting rules are saved: the dialog has no room for long paths. */
export function permissionRequest(
  subject: RequestSubject,
  verdict: Verdict,
  offer: Offer,
  places: OfferLocations,
): Permission {
  const options = verdict.movedRoots ? meantOrNot : optionsFor(offer, places);
  return { ...subject, reason: verdict.reason, risk: verdict.risk, options };
}

/** A workspace folder leads to a different place: the answer decides only that, and the call is judged afterwards. */
const meantOrNot: PermissionOption[] = [option("allow_once", "Yes, work there"), option("reject_once", "Deny")];

function optionsFor({ turn, session, always }: Offer, places: OfferLocations): PermissionOption[] {
  const options: PermissionOption[] = [option("allow_once", "Allow once")];
  if (turn) options.push(option("allow_turn", "Allow all edits in this folder until this turn ends"));
  if (session.length > 0)
    options.push(option("allow_session", `Allow ${grantedText(session, places)} for this session`));
  const ruled = always.length > 0 ? `${ruledText(always, places)} in this project` : "";
  if (ruled !== "") options.push(option("allow_always", `Always allow ${ruled}`));
  options.push(option("reject_once", "Deny"));
  if (ruled !== "") options.push(option("reject_always", `Always deny ${ruled}`));
  return options;
}

function option(kind: PermissionOption["kind"], name: string): PermissionOption {
  return { optionId: kind, name, kind };
}

/** The preview of a call whose tool has none. */
export function plainPreview(effects: readonly Effect[]): Block[] {
  return effects.flatMap((effect): Block[] =>
    effect.kind === "run"
      ? [{ type: "terminal", command: effect.command, output: "", exitCode: null, durationMs: 0 }]
      : [],
  );
}
