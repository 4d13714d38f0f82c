import type { Stop } from "@harness/protocol";
import type { ReplyDraft } from "../reply/reply-draft.ts";
import { readErrorObject } from "./error-text.ts";
import { StreamError } from "./failure.ts";

/** The words with which servers of all APIs end a reply that is complete or at its length limit. */
const stops: Readonly<Record<string, Stop>> = {
  stop: "end",
  end_turn: "end",
  stop_sequence: "end",
  pause_turn: "end",
  eos: "end",
  eos_token: "end",
  done: "end",
  complete: "end",
  completed: "end",
  finished: "end",
  success: "end",
  load: "end",
  unload: "end",
  tool_calls: "tool_calls",
  tool_use: "tool_calls",
  function_call: "tool_calls",
  length: "length",
  max_tokens: "length",
  max_output_tokens: "length",
  model_length: "length",
  model_context_window_exceeded: "length",
  content_filter: "refusal",
  refusal: "refusal",
  safety: "refusal",
  sensitive: "refusal",
  recitation: "refusal",
  blocklist: "refusal",
  prohibited_content: "refusal",
  spii: "refusal",
};

/** Words for a server failure that a retry may not have. The first match says what happened. */
const failures: readonly (readonly [RegExp, string])[] = [
  // Gemini: MALFORMED_FUNCTION_CALL, UNEXPECTED_TOOL_CALL, and the details in `function_call_filter: …`.
  [
    /(malformed|unexpected|invalid|too_many).{0,20}(call|response)|function_call_filter/,
    "the model wrote a call that cannot be read",
  ],
  [
    /insufficient_system_resource|overload|capacity|unavailable/,
    "the server has no capacity for this request at the moment",
  ],
  [/network|disconnect|timed?_?out/, "the model could not be reached"],
  [/abort|cancel|interrupt|preempt|shutdown|terminat|killed/, "the server stopped in the middle of its reply"],
  [/error|fail|malformed|exception|crash/, "the model failed"],
];

/** Records the server's word for the end. Throws `StreamError` if it means a failure; `error`: further details. */
export function takeEnd(draft: Pick<ReplyDraft, "finish" | "oddEnd">, word: string, error?: unknown): void {
  draft.finish = stopFor(word, error);
  draft.oddEnd = isOddEnd(word) ? word : undefined;
}

/** True for an unknown word, which may or may not end a complete reply. */
export function isOddEnd(word: string): boolean {
  return word !== "" && !Object.hasOwn(stops, reasonOf(word));
}

/** Google adds details after a colon: `content_filter: PROHIBITED_CONTENT`. */
function reasonOf(word: string): string {
  return word.toLowerCase().split(":", 1)[0] ?? "";
}

/**
 * Why a reply ended. Throws `StreamError` if the server's word says that it failed, because half an answer must not
 * pass for a complete one. An unknown word counts as an end. `error`: the server's details from elsewhere.
 */
export function stopFor(word: string, error?: unknown): Stop {
  const reason = reasonOf(word);
  const known = Object.hasOwn(stops, reason) ? stops[reason] : undefined;
  if (known !== undefined) return known;
  const failure = failures.find(([pattern]) => pattern.test(reason))?.[1];
  if (failure === undefined) return "end";
  throw new StreamError(readErrorObject(error ?? { message: reason === "error" ? failure : `${failure} (${word})` }));
}
