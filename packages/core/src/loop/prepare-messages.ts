import { withCatalogue } from "../context/system/system-prompt.ts";
import { isFree } from "../context/tokens/cost-of.ts";
import { estimateTokens, messageChars } from "../context/tokens/estimate-tokens.ts";
import type { ModelChoice } from "../ports/provider.ts";
import { fitReplies, fitUnanswered } from "./budget/fit-unanswered.ts";
import { writeCommands } from "./calls/write-commands.ts";
import { keepWithinContextWindow } from "./compaction/keep-within-context-window.ts";
import { followSettings } from "./configure.ts";
import { loadModel } from "./load-model.ts";
import { askToContinue } from "./questions/ask-to-continue.ts";
import type { StageState, TurnEnd } from "./stages/stage-value.ts";
import { drainMail, drainNotes, drainSteering } from "./turn/drain-inbox.ts";
import { tellTexts } from "./turn/tell-texts.ts";
import type { Turn } from "./turn/turn.ts";
import { addWorkingContext, noteChangedFiles } from "./turn/working-context.ts";

const CANCELLED: TurnEnd = { stopReason: "cancelled" };

/** assemble/10-messages: drains the inbox into the log, keeps the limits, and takes the messages from the log. */
export async function prepareMessages(state: StageState<"assemble">, turn: Turn): Promise<StageState<"assemble">> {
  if (state.nextState) return state;
  if (turn.signal.aborted) return turn.done(CANCELLED);
  drainMail(turn);
  drainNotes(turn);
  drainSteering(turn);
  await writeCommands(turn);
  const limit = budgetEnd(turn) ?? (await requestLimit(turn));
  if (limit) return turn.done(limit);
  followSettings(turn.scope, { mayLoosen: true });
  const { models } = turn.agent;
  const isFirst = turn.choice === undefined;
  const chosen = await models.choose({ fresh: isFirst && turn.agent.depth === 0 });
  if ("problem" in chosen) return { nextState: "error", error: { kind: "config", message: chosen.problem } };
  const loaded = await loadModel(turn, chosen);
  if (loaded === "stopped") return turn.done(CANCELLED);
  if ("failure" in loaded) return { nextState: "error", error: loaded.failure };
  const { choice } = loaded;
  const spent = dayEnd(turn, choice);
  if (spent) return turn.done(spent);
  if (models.isNewWarning(choice.warning) && choice.warning)
    turn.notice("warning", "The model is not quite what you asked for.", choice.warning);
  await turn.scope.ports.tools.prepare({
    turnStarts: isFirst && turn.agent.depth === 0,
    signal: turn.signal,
  });
  turn.useModel(choice);
  await turn.agent.settle(choice, turn.scope.requests.system);
  await tellTexts(turn);
  await noteChangedFiles(turn);
  const { scope, agent, turnId } = turn;
  const fitting = { scope, agent, contextWindow: choice.contextWindow.tokens, turnId };
  fitReplies(fitting);
  fitUnanswered(fitting);
  const oversize = oversizeText(turn, choice);
  if (oversize) return { nextState: "error", error: { kind: "overflow", message: oversize } };
  await keepWithinContextWindow(turn, choice);
  if (turn.signal.aborted) return turn.done(CANCELLED);
  addWorkingContext(turn);
  turn.takesMessages();
  return { ...state, model: choice.model, messages: turn.agent.projection.messages.slice() };
}

/** A message with too many images cannot be shortened: it is refused before it is sent, and left out from then on. */
function oversizeText({ agent }: Turn, { contextWindow, model }: ModelChoice): string | undefined {
  const { unanswered, chars } = agent.projection;
  const longest = Math.max(
    0,
    ...unanswered.map(({ message }) => (message.role === "user" ? messageChars(message) : 0)),
  );
  const tokens = estimateTokens(longest);
  const instructions = estimateTokens(agent.requestChars - chars);
  // Estimates err: if the instructions alone seem to fill the window, the message is not the cause.
  const room = Math.max(Math.floor(contextWindow.tokens / 2), contextWindow.tokens - instructions);
  if (tokens <= room) return undefined;
  return `The message is too long: about ${tokens} tokens, and ${model} has room for ${room}. It was not sent and is left out of later requests. Send fewer images, or choose a model with a larger context window.`;
}

/**
 * assemble/30-prompts: the same system text in every request, until a compaction or another mode. The catalogue of skills
 * comes with the next step.
 */
export async function addSystem(state: StageState<"assemble">, turn: Turn): Promise<StageState<"assemble">> {
  if (state.nextState) return state;
  const { choice, agent, scope } = turn;
  // The text that the tools were chosen with: a change of mode in between takes effect with the next request.
  if (agent.system === undefined && choice) await agent.settle(choice, scope.requests.system);
  return { ...state, system: agent.system?.withoutCatalogue ?? "" };
}

/** assemble/35-skills, the last step of the stage: adds the catalogue of skills to the system text. */
export function addSkills(state: StageState<"assemble">, { agent }: Turn): StageState<"assemble"> {
  if (state.nextState) return state;
  const system = agent.system ? withCatalogue(agent.system, state.system) : state.system;
  return { ...state, system, nextState: "send" };
}

/** The end of a turn whose agent, or one above it, has no budget left; undefined if it may go on. */
function budgetEnd(turn: Turn): TurnEnd | undefined {
  const { exhausted } = turn.agent.budget;
  if (exhausted === undefined) return undefined;
  // A subagent's end is reported to its parent.
  if (turn.agent.depth === 0) turn.notice("warning", `The agent ${exhausted}.`);
  return { stopReason: "budget" };
}

/** The end of a turn whose model may cost more than is left of the day's limit; undefined if it may go on. */
function dayEnd(turn: Turn, { price }: Pick<ModelChoice, "price">): TurnEnd | undefined {
  const { max_daily_usd: limit } = turn.scope.settings.values;
  if (limit === 0 || (price && isFree(price))) return undefined;
  const spent = turn.scope.ports.requests.spentToday();
  if (spent < limit) return undefined;
  turn.notice(
    "warning",
    `The limit of $${limit} for this day is used up ($${spent.toFixed(2)}).`,
    "Models that cost nothing go on. The limit is the setting max_daily_usd.",
  );
  return { stopReason: "budget" };
}

/** The end of a turn that has made too many requests; undefined if it may go on. */
async function requestLimit(turn: Turn): Promise<TurnEnd | undefined> {
  const { maxTurns } = turn.scope.settings.values.limits;
  if (turn.requests < maxTurns) return undefined;
  const requests = maxTurns === 1 ? "1 request" : `${maxTurns} requests`;
  if (await askToContinue(turn, `The agent has made ${requests} to the model for this message. Continue?`)) {
    turn.resetRequests();
    return undefined;
  }
  if (turn.signal.aborted) return CANCELLED;
  // How to go on depends on the client, which says so itself.
  turn.notice("warning", `Stopped after ${requests} to the model.`, "The limit is the setting max_turns.");
  return { stopReason: "max_turn_requests" };
}
