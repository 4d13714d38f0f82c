import type { Block, Effect, Permission, PermissionNote, PermissionOption } from "@harness/protocol";
import { grantsFor } from "../answers/grant.ts";
import { lastingRules } from "../answers/lasting-rule.ts";
import type { Offer } from "../answers/permission-answer.ts";
import type { Verdict } from "../decide.ts";
import type { Evaluation } from "../evaluate-call.ts";
import type { PolicyRule } from "../ports/policy.ts";
import { grantedText, type OfferLocations, ruledText, shortRuledText } from "./offer-text.ts";

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
/** An offer before it is known which rules hold: the first of `always` that does is offered. */
export type PossibleOffer = Omit<Offer, "always"> & { always: PolicyRule[][] };

export function offerFor(
  tool: string,
  { verdict, approval: { resolved, roots } }: Evaluation,
  preview: readonly Block[],
  base?: string,
): PossibleOffer {
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
const meantOrNot: PermissionOption[] = [option("allow_once", "Yes, work there"), option("reject_once", "No")];

function optionsFor({ turn, session, always }: Offer, places: OfferLocations): PermissionOption[] {
  const options: PermissionOption[] = [option("allow_once", "Yes, once")];
  if (turn) options.push(option("allow_turn", "Yes, and all edits in this folder until this turn ends"));
  if (session.length > 0) {
    const granted = grantedText(session, places);
    options.push(option("allow_session", `Yes, and don't ask again in this session for ${granted}`));
  }
  const ruled = always.length > 0 ? shortRuledText(always, places) : "";
  const covers = ruled === "" ? undefined : `${ruledText(always, places)}, in this project`;
  if (ruled !== "") options.push(option("allow_always", `Yes, and don't ask again for ${ruled}`, covers));
  options.push(option("reject_once", "No"));
  if (ruled !== "") options.push(option("reject_always", `No, and never for ${ruled}`, covers));
  return options;
}

function option(kind: PermissionOption["kind"], name: string, covers?: string): PermissionOption {
  return { optionId: kind, name, kind, ...(covers === undefined ? {} : { covers }) };
}

/** The preview of a call whose tool has none. */
export function plainPreview(effects: readonly Effect[]): Block[] {
  return effects.flatMap((effect): Block[] =>
    effect.kind === "run"
      ? [{ type: "terminal", command: effect.command, output: "", exitCode: null, durationMs: 0 }]
      : [],
  );
}
