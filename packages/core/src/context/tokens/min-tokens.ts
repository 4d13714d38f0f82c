import type { ModelMessage } from "../../ports/provider.ts";

/** Letters, code and prose: no tokenizer in use packs more of them into a token, over a longer text. */
const MAX_CHARS_PER_TOKEN = 8;
/** The same of Chinese, Japanese and Korean. */
const MAX_WIDE_CHARS_PER_TOKEN = 3;
/** From here on: scripts of which a character is a token or half of one. */
const FIRST_WIDE = 0x2e80;
/** Runs of one character (indentation, rules of dashes) are packed into few tokens, however long. */
const MAX_RUN_CHARS = 4;

/**
 * The fewest tokens that a text can be counted as, in one pass. An estimate is for budgets and may err to both sides;
 * this errs to one side only, so that a count below it proves something.
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

/** Of a message: its text alone. Pictures, thoughts and names of tools count as much as a server likes. */
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
