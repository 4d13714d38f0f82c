import { tokensOf } from "../context/tokens/message-chars.ts";
import type { ModelChoice } from "../ports/provider.ts";
import { keepWithinWindow } from "./compaction/keep-within-window.ts";
import { mayGoOn } from "./questions/may-go-on.ts";
import type { StageValue } from "./stages/stage.ts";
import { takeMail, takeSteering } from "./turn/take-inbox.ts";
import type { Turn } from "./turn/turn.ts";

/** assemble/10-messages: the inbox goes into the log, the limits are kept, and the messages are what the log says. */
export async function prepareMessages(value: StageValue, turn: Turn): Promise<StageValue> {
  const done: StageValue = { ...value, nextState: "done" };
  if (turn.signal.aborted) return done;
  takeMail(turn);
  takeSteering(turn);
  if (!(await mayRequest(turn))) return done;
  const { models } = turn.scope.requests;
  const choice = await models.choose({ fresh: turn.choice === undefined && turn.agent.depth === 0 });
  if ("problem" in choice) return { ...value, nextState: "error", error: { kind: "config", message: choice.problem } };
  const isNew = models.announced !== choice.warning;
  models.announced = choice.warning;
  if (choice.warning && isNew) turn.notice("warning", "Another model answers than the one asked for.", choice.warning);
  turn.choice = choice;
  await turn.agent.settle(choice, turn.scope.requests.system);
  const oversize = oversizeText(turn, choice);
  if (oversize) return { ...value, nextState: "error", error: { kind: "overflow", message: oversize } };
  await keepWithinWindow(turn, choice);
  if (turn.signal.aborted) return done;
  return { ...value, model: choice.model, messages: turn.agent.projection.messages.slice() };
}

/** No compaction helps where one message is too long: it is refused before it is sent, and left out from then on. */
function oversizeText({ agent }: Turn, { window, model }: ModelChoice): string | undefined {
  const { longestUnansweredChars, chars } = agent.projection;
  const tokens = tokensOf(longestUnansweredChars);
  const instructions = tokensOf(agent.requestChars - chars);
  // Estimates err: where the instructions alone seem to fill the window, the message is not what is wrong.
  const room = Math.max(Math.floor(window.tokens / 2), window.tokens - instructions);
  if (tokens <= room) return undefined;
  return `The message is too long: about ${tokens} tokens, and the window of ${model} has room for ${room}. It was not sent and is left out from now on. Put the text into a file and name the file, or choose a model with a larger window.`;
}

/** assemble/30-prompts: the same system text in every request, until a compaction or another mode. */
export async function addSystem(value: StageValue, turn: Turn): Promise<StageValue> {
  if (value.nextState) return value;
  const { choice, agent, scope } = turn;
  // What the tools were chosen with: a mode that came in between holds from the next request on.
  const system = agent.systemText ?? (choice ? await agent.settle(choice, scope.requests.system) : "");
  return { ...value, system, nextState: "send" };
}

async function mayRequest(turn: Turn): Promise<boolean> {
  const { maxTurns } = turn.scope.settings.limits;
  if (turn.requests < maxTurns) return true;
  if (await mayGoOn(turn, `The agent has made ${maxTurns} requests to the model for this message. Continue?`)) {
    turn.requests = 0;
    return true;
  }
  if (turn.signal.aborted) return false;
  turn.end = { stopReason: "max_turn_requests" };
  turn.notice("warning", `Stopped after ${maxTurns} requests to the model.`, "Send a message to let the agent go on.");
  return false;
}
