import type { CallForm } from "../calls/text-call.ts";
import { commandR } from "./command-r.ts";
import { deepseek } from "./deepseek.ts";
import { glm } from "./glm.ts";
import { harmony } from "./harmony.ts";
import { hermes, jsonBlocks } from "./json-block.ts";
import { kimi } from "./kimi.ts";
import { llamaPythonic, llamaPythonTag } from "./llama-python.ts";
import { deepseekDsml, minimaxInvoke } from "./minimax.ts";
import { mistral } from "./mistral.ts";
import { functionTag, qwenCoder } from "./qwen-coder.ts";

/** The forms that begin with a mark, one row each. Forms that share a mark differ in the text after it. */
export const FORMS: readonly CallForm[] = [
  hermes,
  qwenCoder,
  glm,
  functionTag,
  llamaPythonTag,
  llamaPythonic,
  mistral,
  harmony,
  deepseek,
  deepseekDsml,
  kimi,
  minimaxInvoke,
  commandR,
  ...jsonBlocks,
];

const byOpener = new Map<string, CallForm[]>();
for (const form of FORMS) {
  for (const opener of form.openers) byOpener.set(opener, [...(byOpener.get(opener) ?? []), form]);
}

const openersByChar = new Map<string, string[]>();
for (const opener of byOpener.keys()) {
  const first = opener.charAt(0);
  openersByChar.set(first, [...(openersByChar.get(first) ?? []), opener]);
}

/** The rows that begin with this mark. */
export function formsOf(opener: string): readonly CallForm[] {
  return byOpener.get(opener) ?? [];
}

/** The characters that marks begin with. */
export const openerChars: readonly string[] = [...openersByChar.keys()];

/** The mark that begins here; `"maybe"` if the text ends before that can be decided. */
export function openerAt(text: string, at: number): string | "maybe" | undefined {
  const openers = openersByChar.get(text.charAt(at));
  if (!openers) return undefined;
  const whole = openers.find((each) => text.startsWith(each, at));
  if (whole !== undefined) return whole;
  const rest = text.length - at;
  return openers.some((each) => rest < each.length && each.startsWith(text.slice(at))) ? "maybe" : undefined;
}
