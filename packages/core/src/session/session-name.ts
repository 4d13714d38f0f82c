import { type Fact, type Failure, ROOT_AGENT, type SessionState, textOf, type UpdateOf } from "@harness/protocol";
import { NAMING_SYSTEM, nameRequest } from "../context/name-request.ts";
import { makeTitle } from "../context/title-of.ts";
import type { Scope } from "../loop/turn/scope.ts";
import { type RequestCost, sideRequest } from "../loop/turn/side-request.ts";
import type { LiveSession } from "../ports/live-session.ts";
import type { ModelChoice } from "../ports/provider.ts";

/** A reasoning model thinks before it writes the few words. */
const MAX_TOKENS = 1_024;
const OFF = "off";

/** Failures that will not pass by themselves. */
const LASTING: readonly Failure["kind"][] = ["auth", "badRequest", "config"];

/**
 * A name that the model wrote, and how many messages of the user it is based on; without it the request failed.
 * `problem`: why the model of the setting cannot be used, as a sentence.
 */
type WrittenName = { title?: string; messages: number; spent?: RequestCost; problem?: string };

/** Names the session, and warns once of a model in the settings that cannot. `note` records a fact. */
export function namingOf(scope: Scope, note: (fact: Fact) => void): LiveSession["nameByModel"] {
  let hasWarned = false;
  return async (signal) => {
    const written = await writeName(scope, signal);
    if (!written) return "none";
    const { title, problem } = written;
    const fact = nameFact(scope.journal.state, written);
    if (fact) note(fact);
    const { title_model: model } = scope.settings.values;
    if (problem !== undefined && model !== "" && !hasWarned) {
      hasWarned = true;
      const warning = `${model} (title_model) cannot name sessions, so they keep the first line.`;
      note({ sessionUpdate: "notice", severity: "warning", title: warning, description: problem });
    }
    return title === undefined ? "failed" : "named";
  };
}

/** Has the model name the session; undefined if no name is due, or no model may be asked for it. Never throws. */
async function writeName(scope: Scope, signal: AbortSignal): Promise<WrittenName | undefined> {
  const due = nameRequest(scope.journal.state);
  const choice = due && (await namerOf(scope));
  if (!due || !choice || signal.aborted) return undefined;
  if ("problem" in choice) return { messages: due.messages, problem: choice.problem };
  const request = {
    model: choice.model,
    system: NAMING_SYSTEM,
    messages: [{ role: "user" as const, content: [{ type: "text" as const, text: due.text }] }],
    tools: [],
    maxOutputTokens: MAX_TOKENS,
    contextWindow: choice.contextWindow.tokens,
    priority: "background" as const,
  };
  const about = { agentId: ROOT_AGENT, purpose: "title" } as const;
  const { spent, ...reply } = await sideRequest({ scope, about, choice, request, signal });
  const text = "end" in reply && reply.end.stop === "end" ? textOf(reply.end.parts) : "";
  const title = makeTitle(withoutMarks(text));
  const problem = "failure" in reply && LASTING.includes(reply.failure.kind) ? reply.failure.message : undefined;
  const { messages } = due;
  return { messages, ...(title !== undefined && { title }), ...(spent && { spent }), ...(problem && { problem }) };
}

/** Models like to put quotes, a heading or a label around what they were asked for. */
function withoutMarks(text: string): string {
  return text
    .trim()
    .replace(/^[\s#*_`"'“”„«»]*(?:title|name)\s*:\s*/i, "")
    .replace(/^[\s#*_`"'“”„«»]+|[\s*_`"'“”„«».]+$/g, "");
}

async function namerOf({ settings, requests }: Scope): Promise<ModelChoice | { problem: string } | undefined> {
  const { title_model: wanted } = settings.values;
  if (wanted === OFF) return undefined;
  if (wanted === "") return requests.models.current?.hasSpareSlots ? requests.models.current : undefined;
  return await requests.models.named(wanted);
}

/**
 * The fact that records a name and what it cost. A request that failed leaves the title, and is not repeated if the
 * model has answered; a name that a person gave meanwhile stays.
 */
function nameFact(
  { title = "", titleOrigin }: Pick<SessionState, "title" | "titleOrigin">,
  { title: written, messages, spent }: WrittenName,
): UpdateOf<"session_info_update"> | undefined {
  if (title === "" || (written === undefined && !spent)) return undefined;
  const kept = { sessionUpdate: "session_info_update", title, ...(titleOrigin && { origin: titleOrigin }) } as const;
  if (!titleOrigin) return spent && { ...kept, ...spent };
  if (written === undefined)
    return { ...kept, ...(spent?.usage && { origin: { ...titleOrigin, messages } }), ...spent };
  return { ...kept, title: written, origin: { by: "model", messages }, ...spent };
}
