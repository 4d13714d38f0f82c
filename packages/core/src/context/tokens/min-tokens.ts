import type { ModelMessage } from "../../ports/provider.ts";

/** For letters, code and prose. No tokenizer in use averages more characters per token over a longer text. */
const MAX_CHARS_PER_TOKEN = 8;
/** For Chinese, Japanese and Korean. */
const MAX_WIDE_CHARS_PER_TOKEN = 3;
/** The first code point of the scripts in which a character takes one token or half a token. */
const FIRST_WIDE = 0x2e80;
/** Runs of one character, such as indentation or rules of dashes, take few tokens however long they are. */
const MAX_RUN_CHARS = 4;

/**
 * A lower bound for the tokens of a text, in one pass. Budgets use an estimate that may be off in both directions; this
 * one is never too high, so that a lower count proves something.
 */
export function minTokens(text: string): number {
  let plain = 0;
  let wide = 0;
  let last = -1;
  let run = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    run = code === last ? run + 1 : 1;
    last = code;
    if (run > MAX_RUN_CHARS) continue;
    if (code >= FIRST_WIDE) wide += 1;
    else plain += 1;
  }
  return plain / MAX_CHARS_PER_TOKEN + wide / MAX_WIDE_CHARS_PER_TOKEN;
}

/** Counts only the text of a message: servers count images, thoughts and tool names as they like. */
export function minMessageTokens(message: ModelMessage): number {
  if (message.role === "tool") return minTokens(message.text);
  let sum = 0;
  for (const part of message.role === "user" ? message.content : message.parts) {
    if (part.type === "text") sum += minTokens(part.text);
    else if (part.type === "tool_call")
      sum += minTokens(part.input ? JSON.stringify(part.input) : (part.inputText ?? ""));
  }
  return sum;
}
