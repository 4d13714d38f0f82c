import type { Content, Shortening } from "@harness/protocol";
import { shortenMessages } from "../../context/conversation/shorten-messages.ts";
import { IMAGE_CHARS } from "../../context/tokens/estimate-tokens.ts";
import type { ModelMessage, ModelRequest } from "../../ports/provider.ts";
import { pastResults } from "../budget/past-results.ts";
import { recordShortening } from "../budget/record-shortening.ts";
import type { Reply } from "../stages/stage-value.ts";
import type { Turn } from "../turn/turn.ts";

const NOTE = "[An image is left out here: the model's server did not accept it.]";

/** A message or result with images. `names`: for people. `isNew`: no reply has followed it. */
type PictureMessage = { shortening: Shortening; names: string[]; count: number; isNew: boolean };

/**
 * Asks again without images if a server has refused the request because of them, or for an unclear reason just after
 * they were added: otherwise it would refuse every later request as well. If that works, a fact leaves the images out
 * for good. Throws `LogWriteError`.
 */
export async function withoutRefusedPictures(
  turn: Turn,
  refused: Reply,
  request: ModelRequest,
  ask: (request: ModelRequest) => Promise<Reply>,
): Promise<Reply> {
  if (!refused.refusedFor) return refused;
  const all = picturesIn(turn, request);
  const fresh = all.filter(({ isNew }) => isNew);
  const steps = refused.refusedFor === "picture" && fresh.length < all.length ? [fresh, all] : [fresh];
  let reply = refused;
  for (const pictures of steps.filter(({ length }) => length > 0)) {
    if (turn.signal.aborted) return reply;
    const before = reply;
    turn.delta({ sessionUpdate: "request_status", messageId: before.messageId, phase: "ended" });
    reply = await ask({ ...request, messages: without(turn, request.messages, pictures) });
    // The message was about the older images then.
    if (reply.refusedFor === "picture") continue;
    if (before.refusedFor === "unclear" && reply.failure) return reply.refusedFor ? refused : reply;
    record(turn, pictures);
    return reply;
  }
  return reply;
}

function picturesIn(turn: Turn, { messages }: ModelRequest): PictureMessage[] {
  const { agent, scope } = turn;
  const { projection } = agent;
  const titles = new Map(
    pastResults(agent, scope.ports.log.header.cwd).map(({ toolCallId, title }) => [toolCallId, title]),
  );
  const unanswered = new Set(projection.unanswered.map(({ message }) => message));
  return messages.flatMap((message): PictureMessage[] => {
    const images = imagesOf(message);
    const seq = seqOf(turn, message);
    if (images.length === 0 || (message.role === "user" && seq === undefined)) return [];
    const at = message.role === "tool" ? { toolCallId: message.toolCallId } : { seq };
    const head = message.role === "tool" ? message.text.length : 0;
    const title = message.role === "tool" ? titles.get(message.toolCallId) : undefined;
    const names = title === undefined ? images.map(nameOf) : [title];
    const shortening: Shortening = { ...at, head, tail: 0, note: NOTE, withoutPictures: true };
    return [{ shortening, names, count: images.length, isNew: unanswered.has(message) }];
  });
}

function imagesOf(message: ModelMessage): Content[] {
  if (message.role === "assistant") return [];
  const parts = message.role === "user" ? message.content : (message.images ?? []);
  return parts.filter(({ type }) => type === "image");
}

function nameOf(part: Content): string {
  return part.type === "image" && part.name !== undefined ? part.name : "an image of a message";
}

/** Undefined if a step has added the message, so that no fact has it. */
function seqOf({ agent: { projection } }: Turn, message: ModelMessage): number | undefined {
  const index = projection.messages.indexOf(message);
  return index < 0 ? undefined : projection.seqAt(index);
}

function without(turn: Turn, messages: readonly ModelMessage[], pictures: readonly PictureMessage[]): ModelMessage[] {
  const seqs = messages.map((message) => seqOf(turn, message) ?? Number.MAX_SAFE_INTEGER);
  const shortened = pictures.map(({ shortening }) => shortening);
  const changed = shortenMessages(messages, seqs, shortened);
  return messages.map((message, index) => changed.get(index) ?? message);
}

function record({ scope, agent, turnId, choice }: Turn, pictures: readonly PictureMessage[]): void {
  const names = [...new Set(pictures.flatMap((each) => each.names))].join(", ");
  const count = pictures.reduce((sum, each) => sum + each.count, 0);
  const what = count === 1 ? "An image is" : `${count} images are`;
  recordShortening(
    { scope, agent, contextWindow: choice?.contextWindow.tokens ?? 0, turnId },
    {
      reason: "refused",
      title: () =>
        `${what} left out from now on, because the model's server did not accept ${count === 1 ? "it" : "them"}: ${names}.`,
      shortened: pictures.map(({ shortening }) => shortening),
      savedChars: count * IMAGE_CHARS,
    },
  );
}
