import type { AgentMode } from "@harness/protocol";
import { modeOffers, modes } from "../../modes/modes.ts";
import type { ToolResult } from "../../ports/tool.ts";
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
export async function changeMode(turn: Turn, wanted: AgentMode, signal: AbortSignal): Promise<ToolResult> {
  const { scope } = turn;
  if (turn.agent.depth > 0)
    return errorResult(
      "Only the main agent changes the mode. Say in your result what should be done in a different one.",
    );
  const { agentMode: from, chosenMode: chosen } = scope.settings;
  if (from === wanted) return okResult(`You are in ${wanted} mode already.`);
  const refusal = needsYes(scope, from, wanted) ? await refusalOf(turn, { from, wanted, chosen }, signal) : undefined;
  if (refusal || signal.aborted) return errorResult(refusal ?? `You stay in ${from} mode.`);
  const now = scope.settings.agentMode;
  if (now === from)
    configure(scope, (update) => turn.record(update), { mode: wanted }, `The agent switched to ${wanted} mode.`);
  // The user changed the mode while being asked, and that mode stays.
  else if (now !== wanted) return errorResult(`The person went into ${now} mode meanwhile: you are in that one.`);
  return okResult(switchedText(wanted));
}

function needsYes({ settings }: Scope, from: AgentMode, to: AgentMode): boolean {
  return !changesThings(from) && (changesThings(to) || from === settings.openingMode);
}

function changesThings(mode: AgentMode): boolean {
  return modeOffers(mode, { category: "destructive" });
}

/** Undefined if the change is allowed. */
async function refusalOf(
  turn: Turn,
  { from, wanted, chosen }: { from: AgentMode; wanted: AgentMode; chosen: AgentMode },
  signal: AbortSignal,
): Promise<string | undefined> {
  const { settings } = turn.scope;
  const stay = `You stay in ${from} mode.`;
  const aim = changesThings(wanted) ? "to make changes" : `for ${wanted} mode`;
  const answer = await askPerson(
    turn,
    {
      message: `The agent wants to leave ${from} mode ${aim}. Allow it?`,
      options: [
        { optionId: "yes", name: `Yes, switch to ${wanted} mode` },
        { optionId: "no", name: `No, stay in ${from} mode` },
      ],
      freeText: true,
    },
    signal,
  );
  if ("optionId" in answer) {
    if (answer.optionId !== "yes") return `The person says no. ${stay}`;
    if (settings.agentMode === from) settings.choose({ mode: wanted });
    return undefined;
  }
  if ("text" in answer) return `${stay} The person answers: ${answer.text}`;
  if (answer.unanswered !== "no_client") return `${unansweredText(answer.unanswered, turn)} ${stay}`;
  if (!mayChangeThings(turn.scope))
    return `Nobody can be asked, and this run may change nothing. ${stay} Give your plan or findings as the answer.`;
  if (!changesThings(chosen))
    return `Nobody can be asked, and only a person may lead out of ${chosen} mode, which was chosen for this session. ${stay} Give your plan or findings as the answer.`;
  return undefined;
}

function mayChangeThings(scope: Scope): boolean {
  return scope.settings.permissionMode !== "deny";
}

function switchedText(mode: AgentMode): string {
  const way = modeOffers(mode, { category: "signal" })
    ? ""
    : ` It has no \`${SWITCH_MODE}\`: only the person can lead out of it.`;
  return `You are in ${mode} mode now. ${modes[mode].doc}${way} Your tools and instructions are those of this mode from your next message on.`;
}
