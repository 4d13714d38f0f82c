import { type AgentMode, agentModeOf } from "@harness/protocol";
import type { FrontmatterValue } from "./frontmatter.ts";

export type Fields = ReadonlyMap<string, FrontmatterValue>;

/** A value of frontmatter; why it cannot be used, or what was ignored, as the end of a sentence. */
export type FieldReading<T> = { value: T | undefined; problem?: string; note?: string };

/** Another program's model names that mean nothing elsewhere. */
const INHERITED = new Set(["", "inherit", "default", "sonnet", "opus", "haiku"]);

/** A text without line breaks; escaped line breaks become a space. */
export function collapseLines(value: FrontmatterValue | undefined): string {
  return typeof value === "string"
    ? value
        .replace(/\\n|[\s\p{Cc}]+/gu, " ")
        .replace(/ {2,}/g, " ")
        .trim()
    : "";
}

/** A value of one word, without a comment after it. */
export function word(value: FrontmatterValue | undefined): string {
  return collapseLines(value).replace(/ #.*$/, "");
}

/** `*` means all, like no list. */
export function names(fields: Fields, ...keys: string[]): FieldReading<string[]> {
  const value = keys.map((key) => fields.get(key)).find((each) => each !== undefined);
  if (value === undefined || value === "") return { value: undefined };
  if (value instanceof Map) return { value: undefined, problem: `${keys[0]} must be a list such as "read, grep"` };
  const list = (typeof value === "string" ? splitNames(word(value)) : [...(value as readonly string[])]).map((each) =>
    each.replace(/ #.*$/, "").trim(),
  );
  return { value: list.includes("*") ? undefined : list.filter((each) => each !== "") };
}

/** Splits at commas outside of parentheses, or at spaces outside of them if there is no such comma. */
function splitNames(text: string): string[] {
  const parts = text.split(/,(?![^(]{0,500}\))/);
  return parts.length > 1 ? parts : (text.match(/[^\s(]+(?:\([^)]*\))?/g) ?? []);
}

/** `otherwise`: says what happens with a name that only another program knows. */
export function modelOf(fields: Fields, otherwise: string): FieldReading<string> {
  const model = word(fields.get("model"));
  if (!INHERITED.has(model.toLowerCase())) return { value: model };
  const isNamed = !["", "inherit", "default"].includes(model.toLowerCase());
  return isNamed ? { value: undefined, note: `model ${model} is unknown here: ${otherwise}` } : { value: undefined };
}

export function readMode(fields: Fields): FieldReading<AgentMode> {
  const text = word(fields.get("mode"));
  if (text === "") return { value: undefined };
  const value = agentModeOf(text);
  return value ? { value } : { value, problem: `there is no mode ${text}: casual, planning, research or agent` };
}

export function readFlag(fields: Fields, key: string): FieldReading<boolean> {
  const text = word(fields.get(key)).toLowerCase();
  if (text === "") return { value: undefined };
  if (["false", "no", "off"].includes(text)) return { value: false };
  if (["true", "yes", "on"].includes(text)) return { value: true };
  return { value: undefined, problem: `${key} must be true or false` };
}
