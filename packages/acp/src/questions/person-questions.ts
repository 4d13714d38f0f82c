import {
  type PermissionOption as AcpOption,
  type CreateElicitationRequest,
  type ElicitationPropertySchema,
  methods,
} from "@agentclientprotocol/sdk/unstable";
import type { Question, QuestionAnswer } from "@harness/client";
import { textContent } from "../calls/block-content.ts";
import type { ClientAsker } from "../peer/client-asker.ts";
import type { ClientPeer } from "../peer/client-peer.ts";
import type { UpdateWriter } from "../peer/update-writer.ts";

type QuestionDeps = { asker: ClientAsker; peer: ClientPeer; writer: UpdateWriter; signal: AbortSignal };

const SKIP: AcpOption = { optionId: "skip", name: "No answer: decide yourself", kind: "reject_once" };

/** Asks a question of the agent with a form. */
export async function askWithForm(question: Question, { peer, writer, signal }: QuestionDeps): Promise<QuestionAnswer> {
  const params: CreateElicitationRequest = {
    mode: "form",
    sessionId: writer.sessionId,
    message: questionWords(question),
    requestedSchema: { type: "object", properties: formFields(question) },
  };
  const asked = { cancellationSignal: signal, stopWaitingOnCancel: true };
  const answer = await peer.request(methods.client.elicitation.create, params, asked).catch(() => undefined);
  return signal.aborted ? { action: "cancel" } : formAnswer(question, answer);
}

/** Asks a client without forms by the options of a permission; words can only follow in the next message. */
export async function askWithOptions(
  question: Question,
  { asker, writer, signal }: QuestionDeps,
): Promise<QuestionAnswer> {
  const toolCallId = `question ${question.elicitationId}`;
  const toolCall = {
    toolCallId,
    title: question.message,
    kind: "other" as const,
    status: "pending" as const,
    content: [textContent(optionsText(question))],
    locations: [],
  };
  writer.send({ sessionUpdate: "tool_call", ...toolCall });
  const choices = question.options.map(({ optionId, name }) => ({ optionId, name, kind: "allow_once" as const }));
  const options = [...choices, SKIP];
  const answer = await asker.choose({ sessionId: writer.sessionId, toolCall, options }, signal);
  const chosen = answer?.outcome.outcome === "selected" ? answer.outcome.optionId : undefined;
  const option = question.options.find(({ optionId }) => optionId === chosen);
  writer.send({ sessionUpdate: "tool_call_update", toolCallId, status: "completed" });
  if (signal.aborted) return { action: "cancel" };
  return option ? { action: "accept", optionId: option.optionId } : { action: "decline" };
}

export function questionWords({ message, about, part }: Question): string {
  const of = part === undefined || part.of === 1 ? "" : ` (${part.at} of ${part.of})`;
  return [about, `${message}${of}`].filter(Boolean).join("\n\n");
}

function optionsText(question: Question): string {
  const options = question.options.map(({ name, description }) =>
    description === undefined ? `- ${name}` : `- ${name}: ${description}`,
  );
  return [questionWords(question), ...options].join("\n");
}

/** A field for the options, and one for words where they are allowed. */
function formFields({ options, freeText, multiple }: Question): Record<string, ElicitationPropertySchema> {
  const choices = options.map(({ optionId, name, description }) => ({
    const: optionId,
    title: name,
    ...(description === undefined ? {} : { description }),
  }));
  const choice: ElicitationPropertySchema = multiple
    ? { type: "array", title: "Choose", items: { anyOf: choices } }
    : { type: "string", title: "Choose", oneOf: choices };
  return {
    ...(choices.length > 0 ? { choice } : {}),
    ...(freeText || choices.length === 0
      ? { words: { type: "string", title: choices.length > 0 ? "Or in your words" : "Answer" } }
      : {}),
  };
}

/** Nothing checks what a client answers. */
function formAnswer({ options }: Question, answer: unknown): QuestionAnswer {
  if (typeof answer !== "object" || answer === null || !("action" in answer)) return { action: "decline" };
  if (answer.action === "cancel") return { action: "cancel" };
  if (answer.action !== "accept" || !("content" in answer)) return { action: "decline" };
  const { choice, words } = { ...(answer.content as { choice?: unknown; words?: unknown } | null) };
  if (typeof words === "string" && words.trim() !== "") return { action: "accept", text: words };
  const chosen = options.filter(({ optionId }) => [choice].flat().includes(optionId));
  const [first] = chosen;
  if (!first) return { action: "decline" };
  return Array.isArray(choice)
    ? { action: "accept", text: chosen.map(({ name }) => name).join("; ") }
    : { action: "accept", optionId: first.optionId };
}
