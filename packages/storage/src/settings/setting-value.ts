import { currentValue, parseList, type SettingKey, settingChoices, settings, settingType } from "@harness/protocol";
import * as z from "zod";

export type CheckedValue = { value: unknown } | { expected: string };

const WORDS: Record<string, boolean> = {
  true: true,
  yes: true,
  on: true,
  1: true,
  false: false,
  no: false,
  off: false,
  0: false,
};

/** Checks a value against the table. */
export function checkSetting(key: SettingKey, value: unknown): CheckedValue {
  const parsed = settings[key].schema.safeParse(currentValue(key, value));
  if (parsed.success) return { value: parsed.data };
  // For a malformed text, the setting's row describes the right format.
  const form = parsed.error.issues.find(({ code }) => code === "invalid_format")?.message;
  if (form === undefined) return { expected: expectedFor(key) };
  return { expected: settingType(key) === "list" ? `a list of ${form}` : form };
}

/** Parses a value given as text: from the environment, a flag, or an input field. */
export function parseSetting(key: SettingKey, text: string): CheckedValue {
  const trimmed = text.trim();
  const type = settingType(key);
  if (type === "number") return checkSetting(key, /^[+-]?\d+$/.test(trimmed) ? Number(trimmed) : trimmed);
  if (type === "boolean") return checkSetting(key, WORDS[trimmed.toLowerCase()] ?? trimmed);
  if (type === "list") return checkList(key, trimmed);
  return checkSetting(key, type === "choice" ? trimmed : text);
}

/** An empty text is the default if that is null, otherwise an empty list. */
function checkList(key: SettingKey, text: string): CheckedValue {
  return checkSetting(key, text === "" && settings[key].default === null ? null : parseList(text));
}

/** Continues "expected …". */
function expectedFor(key: SettingKey): string {
  const choices = settingChoices(key);
  if (choices) return `one of ${choices.map((choice) => choice || '""').join(", ")}`;
  const type = settingType(key);
  if (type === "boolean") return "true or false";
  if (type === "text") return "a string in double quotes";
  const schema = z.toJSONSchema(settings[key].schema);
  const isNullable = schema.anyOf?.some((each) => each.type === "null");
  const orNull = isNullable ? ", or null" : "";
  if (type === "list") return `a list of strings such as ["npm test", "make"]${orNull}`;
  const number = [schema, ...(schema.anyOf ?? [])].find((each) => each.type === "integer");
  return `a whole number from ${formatNumber(number?.minimum)} to ${formatNumber(number?.maximum)}${orNull}`;
}

const formatNumber = (value: number | undefined): string => (value ?? 0).toLocaleString("en-US");

/** A value as it appears in problem sentences: short, on one line. */
export function shortValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
