import type { PersonAnswer, SamplingRequest, ToolContext } from "@harness/core";
import { isRecord, plainLine, plainLines } from "@harness/host";
import type { McpSample, McpSampling } from "../ports/people.ts";
import { reasons } from "./asking-person.ts";

/** The maximum tokens of an answer for a server, whatever it asks for. */
const MAX_TOKENS = 4_000;
const MAX_SHOWN = 4_000;
const MAX_SERVER = 100;
const YES = "yes";

/**
 * Lets the session's model answer a server, each time after the user was asked and has seen what would be sent.
 * `notes`: the outcomes, for the result of the call.
 */
export function answeringModel({ ask, askModel }: Pick<ToolContext, "ask" | "askModel">, notes: string[]): McpSample {
  return async (request, signal) => {
    const refused = (why: string) => {
      notes.push(`(The server asked the model for an answer. ${why}, so it got none.)`);
      return { refused: why };
    };
    const read = readSampling(request);
    if ("problem" in read) return refused(read.problem);
    if (!ask || !askModel) return refused(reasons.no_client);
    const options = [
      { optionId: YES, name: "Let it ask" },
      { optionId: "no", name: "No" },
    ];
    const allowed = await ask({ message: questionOf(request.server, read.question), options, freeText: false }, signal);
    const why = refusalOf(allowed);
    if (why !== undefined) return refused(why);
    const answer = await askModel(read.question, signal);
    if ("problem" in answer) return refused(answer.problem);
    const stops = read.stopSequences.map((each) => answer.text.indexOf(each)).filter((at) => at >= 0);
    const text = stops.length > 0 ? answer.text.slice(0, Math.min(...stops)) : answer.text;
    notes.push(
      `(The server asked the model, as the person allowed, and got ${text.length} characters of ${answer.model}.)`,
    );
    const stopReason = stops.length > 0 ? "stopSequence" : answer.isWhole ? "endTurn" : "maxTokens";
    return { text, model: answer.model, stopReason };
  };
}

function refusalOf(answer: PersonAnswer): string | undefined {
  if ("unanswered" in answer)
    return answer.unanswered === "withdrawn" ? "It was cancelled" : reasons[answer.unanswered];
  return "optionId" in answer && answer.optionId === YES ? undefined : "The person did not allow it";
}

/** Every line from the server is indented, so that none looks like ours. */
function questionOf(server: string, { system, messages, maxOutputTokens }: SamplingRequest): string {
  const parts = [...(system === "" ? [] : [{ role: "system", text: system }]), ...messages];
  const all = parts.map(({ role, text }) => `${role}: ${text}`).join("\n");
  const lines = plainLines(all, MAX_SHOWN).split("\n");
  const more = all.length - MAX_SHOWN;
  return [
    `The MCP server ${plainLine(server, MAX_SERVER)} asks your model for an answer of at most ${maxOutputTokens} tokens. It would send:`,
    ...lines.map((line) => `  ${line}`),
    ...(more > 0 ? [`(${more} more characters)`] : []),
  ].join("\n");
}

type SamplingReading = { question: SamplingRequest; stopSequences: readonly string[] } | { problem: string };

function readSampling({ params }: McpSampling): SamplingReading {
  const { messages, systemPrompt, maxTokens, temperature, stopSequences, tools } = params;
  if (Array.isArray(tools) && tools.length > 0) return { problem: "It wants the model to use tools" };
  const conversation = Array.isArray(messages) ? messages.filter(isRecord) : [];
  const texts = conversation.map(({ role, content }) => ({
    role: role === "assistant" ? ("assistant" as const) : ("user" as const),
    text: textIn(content),
  }));
  if (texts.length === 0) return { problem: "It sends no message" };
  const read = texts.flatMap(({ role, text }) => (text === undefined ? [] : [{ role, text }]));
  if (read.length < texts.length) return { problem: "It sends something other than text" };
  const limit = typeof maxTokens === "number" && maxTokens >= 1 ? Math.floor(maxTokens) : MAX_TOKENS;
  return {
    question: {
      system: typeof systemPrompt === "string" ? systemPrompt : "",
      messages: read,
      maxOutputTokens: Math.min(limit, MAX_TOKENS),
      ...(typeof temperature === "number" ? { temperature } : {}),
    },
    stopSequences: Array.isArray(stopSequences)
      ? stopSequences.filter((each): each is string => typeof each === "string" && each !== "")
      : [],
  };
}

function textIn(content: unknown): string | undefined {
  const blocks: unknown[] = Array.isArray(content) ? content : [content];
  const texts = blocks.map((each) =>
    isRecord(each) && each.type === "text" && typeof each.text === "string" ? each.text : undefined,
  );
  return texts.includes(undefined) ? undefined : texts.join("\n");
}
