import { type AgentMode, type PermissionMode, type SessionConfig, textOf } from "@harness/protocol";
import { modeOffers, modes } from "../../modes/modes.ts";
import type { PersonQuestion, ToolResult } from "../../ports/tool.ts";
import { SWITCH_MODE } from "../../tools/switch-mode.ts";
import { errorResult, okResult } from "../../tools/tool-result.ts";
import { configure } from "../configure.ts";
import type { Scope } from "../turn/scope.ts";
import type { Turn } from "../turn/turn.ts";
import { askPerson, unansweredText } from "./ask-person.ts";

/**
 * Changes the agent mode for the agent. To go from a mode that only reads to one that changes things, it needs the
 * user's consent, as it does to leave a reading mode that the session was opened in. If nobody can be asked, it may
 * only go back to what the user had chosen, and the run's permission mode must allow changes. The gate judges each call
 * in any case.
 */
export async function changeMode(
  turn: Turn,
  { mode: wanted, plan }: { mode: AgentMode; plan?: string | undefined },
  signal: AbortSignal,
): Promise<ToolResult> {
  const { scope } = turn;
  if (turn.agent.depth > 0)
    return errorResult(
      "Only the main agent changes the mode. Say in your result what should be done in a different one.",
    );
  const { agentMode: from, chosenMode: chosen } = scope.settings;
  if (from === wanted) return okResult(`You are in ${wanted} mode already.`);
  const consent = needsYes(scope, from, wanted) ? await consentTo(turn, { from, wanted, chosen, plan }, signal) : {};
  if ("refusal" in consent) return errorResult(consent.refusal, consent.said);
  if (signal.aborted) return errorResult(`You stay in ${from} mode.`, `The session stays in ${from} mode.`);
  const now = scope.settings.agentMode;
  if (now === from)
    configure(
      scope,
      (update) => turn.record(update),
      { ...consent, mode: wanted },
      `The agent switched to ${wanted} mode.`,
    );
  // The user changed the mode while being asked, and that mode stays.
  else if (now !== wanted) return errorResult(`The person went into ${now} mode meanwhile: you are in that one.`);
  const isAllowed = consent.permissionMode !== undefined;
  return okResult(switchedText(wanted, consent), [
    { type: "text", text: `The session is in ${wanted} mode now${isAllowed ? ", and edits are allowed" : ""}.` },
  ]);
}

function needsYes({ settings }: Scope, from: AgentMode, to: AgentMode): boolean {
  return !changesThings(from) && (changesThings(to) || from === settings.openingMode);
}

function changesThings(mode: AgentMode): boolean {
  return modeOffers(mode, { category: "destructive" });
}

type Change = { from: AgentMode; wanted: AgentMode; chosen: AgentMode; plan: string | undefined };
/** The permission mode that the user chose with their consent, if they did. `said`: a refusal in words for the user. */
type Consent = Pick<SessionConfig, "permissionMode"> | { refusal: string; said?: string };

async function consentTo(turn: Turn, change: Change, signal: AbortSignal): Promise<Consent> {
  const { from, wanted, chosen } = change;
  const { settings } = turn.scope;
  const stay = `You stay in ${from} mode.`;
  const stays = `The session stays in ${from} mode.`;
  const answer = await askPerson(turn, questionAbout(turn, change), signal);
  if ("optionId" in answer) {
    if (answer.optionId === NO) return { refusal: `The person says no. ${stay}`, said: `You said no. ${stays}` };
    const edits = answer.optionId === EDITS ? ({ permissionMode: "accept-edits" } as const) : {};
    if (settings.agentMode === from) settings.choose({ ...edits, mode: wanted });
    return edits;
  }
  if ("text" in answer)
    return { refusal: `${stay} The person answers: ${answer.text}`, said: `You answered: ${answer.text}` };
  if (answer.unanswered !== "no_client") return { refusal: `${unansweredText(answer.unanswered, turn)} ${stay}` };
  if (!mayChangeThings(turn.scope))
    return {
      refusal: `Nobody can be asked, and this run may change nothing. ${stay} Give your plan or findings as the answer.`,
    };
  if (!changesThings(chosen))
    return {
      refusal: `Nobody can be asked, and only a person may lead out of ${chosen} mode, which was chosen for this session. ${stay} Give your plan or findings as the answer.`,
    };
  return {};
}

/** The plan stands with the question. A permission mode that already allows edits, or none at all, is not asked about. */
function questionAbout(turn: Turn, { from, wanted, plan }: Change): PersonQuestion {
  const { permissionMode } = turn.scope.settings;
  const message = `The agent wants to leave ${from} mode ${changesThings(wanted) ? "to make changes" : `for ${wanted} mode`}. Allow it?`;
  const ends = from === "planning" && changesThings(wanted);
  const about = ends ? plan?.trim() || lastWords(turn) : "";
  const asks = askingModes[permissionMode];
  const yes =
    ends && asks !== undefined
      ? [
          { optionId: EDITS, name: "Yes, and edits are allowed" },
          { optionId: "yes", name: asks },
        ]
      : [{ optionId: "yes", name: `Yes, switch to ${wanted} mode` }];
  const no = { optionId: NO, name: ends ? "No, keep planning" : `No, stay in ${from} mode` };
  return { message, ...(about === "" ? {} : { header: "Plan", about }), options: [...yes, no], freeText: true };
}

const EDITS = "edits";
const NO = "no";
/** The permission modes that ask about edits, and the answer that keeps each. */
const askingModes: Partial<Record<PermissionMode, string>> = {
  default: "Yes, ask before each edit",
  review: "Yes, and edits are reviewed",
};

/** The last message of the agent since the person's own, which has the plan if the call does not. */
function lastWords({ scope, agent }: Turn): string {
  const items = scope.journal.state.agents.get(agent.agentId)?.items ?? [];
  for (let at = items.length - 1; at >= 0; at -= 1) {
    const item = items[at];
    if (item?.kind === "user") return "";
    const text = item?.kind === "agent" ? textOf(item.parts).trim() : "";
    if (text !== "") return text;
  }
  return "";
}

function mayChangeThings(scope: Scope): boolean {
  return scope.settings.permissionMode !== "deny";
}

function switchedText(mode: AgentMode, { permissionMode }: Pick<SessionConfig, "permissionMode">): string {
  const way = modeOffers(mode, { category: "signal" })
    ? ""
    : ` It has no \`${SWITCH_MODE}\`: only the person can lead out of it.`;
  const edits = permissionMode === undefined ? "" : " The person allows edits in the workspace without asking.";
  return `You are in ${mode} mode now. ${modes[mode].doc}${way}${edits} Your tools and instructions are those of this mode from your next message on.`;
}
