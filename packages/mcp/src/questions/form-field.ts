import { isRecord, plainLine } from "@harness/host";
import { namesSecret, wantsSecret } from "./secret-request.ts";

export type FieldValue = string | number | boolean | string[];
type FieldOption = { name: string; value: FieldValue };

/** A value that a server wants, in the form of a question. */
export type FormField = {
  name: string;
  /** For people: the title and the server's description. */
  label: string;
  isRequired: boolean;
  default: FieldValue | undefined;
  /** All possible values; empty: any that `read` accepts. */
  options: readonly FieldOption[];
  /** Parses the typed text, or says what is expected. */
  read(text: string): { value: FieldValue } | { expected: string };
};

const MAX_FIELDS = 20;
const MAX_LABEL = 500;
const MAX_NAME = 100;
const MAX_OPTIONS = 50;
const MAX_TEXT = 10_000;

/** The fields of a form in its order; a problem if it asks for a secret, or for more than people can be asked. */
export function formFields(schema: Readonly<Record<string, unknown>>): FormField[] | { problem: string } {
  const { properties, required } = schema;
  if (!isRecord(properties)) return [];
  const entries = Object.entries(properties);
  if (entries.length > MAX_FIELDS)
    return { problem: `it has ${entries.length} fields, and ${MAX_FIELDS} are the limit` };
  const needed: unknown[] = Array.isArray(required) ? required : [];
  const fields: FormField[] = [];
  for (const [name, value] of entries) {
    const field = isRecord(value) ? value : {};
    if (asksForSecret(name, field))
      return { problem: `it asks for a secret (${plainLine(name, MAX_NAME)}), which must not be typed into a form` };
    fields.push(fieldOf(name, field, needed.includes(name)));
  }
  return fields;
}

function asksForSecret(name: string, { format, title, description }: Record<string, unknown>): boolean {
  return (
    format === "password" || namesSecret(`${name} ${String(title ?? "")}`) || wantsSecret(String(description ?? ""))
  );
}

function fieldOf(name: string, field: Record<string, unknown>, isRequired: boolean): FormField {
  const title = typeof field.title === "string" ? field.title : name;
  const about = typeof field.description === "string" ? `: ${field.description}` : "";
  const options = field.type === "array" ? [] : optionsOf(field);
  return {
    name,
    label: plainLine(`${title}${about}`, MAX_LABEL),
    isRequired,
    default: givenValue(field.default),
    options,
    read: (text) => (text.length > MAX_TEXT ? { expected: "a shorter text" } : readerOf(field)(text.trim())),
  };
}

function optionsOf(field: Record<string, unknown>): FieldOption[] {
  if (field.type === "boolean")
    return [
      { name: "Yes", value: true },
      { name: "No", value: false },
    ];
  const titled = [field.oneOf, field.anyOf].find(Array.isArray) ?? [];
  const found = titled.flatMap((each): FieldOption[] =>
    isRecord(each) && typeof each.const === "string"
      ? [{ value: each.const, name: plainLine(typeof each.title === "string" ? each.title : each.const, MAX_NAME) }]
      : [],
  );
  if (found.length > 0) return found.slice(0, MAX_OPTIONS);
  const values: unknown[] = Array.isArray(field.enum) ? field.enum : [];
  const names: unknown[] = Array.isArray(field.enumNames) ? field.enumNames : [];
  return values
    .slice(0, MAX_OPTIONS)
    .flatMap((value, at): FieldOption[] =>
      typeof value === "string" ? [{ value, name: plainLine(String(names[at] ?? value), MAX_NAME) }] : [],
    );
}

function readerOf(field: Record<string, unknown>): FormField["read"] {
  if (field.type === "number" || field.type === "integer") return (text) => readNumber(text, field);
  if (field.type === "array") return (text) => readSeveral(text, isRecord(field.items) ? optionsOf(field.items) : []);
  return (text) => readText(text, field);
}

function readNumber(text: string, { type, minimum, maximum }: Record<string, unknown>): ReturnType<FormField["read"]> {
  const value = Number(text);
  const isOf = text !== "" && Number.isFinite(value) && (type !== "integer" || Number.isInteger(value));
  const isAbove = typeof minimum !== "number" || value >= minimum;
  const isBelow = typeof maximum !== "number" || value <= maximum;
  if (isOf && isAbove && isBelow) return { value };
  const range = [
    typeof minimum === "number" ? ` from ${minimum}` : "",
    typeof maximum === "number" ? ` to ${maximum}` : "",
  ];
  return { expected: `a ${type === "integer" ? "whole " : ""}number${range.join("")}` };
}

function readSeveral(text: string, options: readonly FieldOption[]): ReturnType<FormField["read"]> {
  const words = text.split(",").flatMap((word) => word.trim() || []);
  if (options.length === 0) return { value: words };
  const chosen = words.map((word) => options.find(({ name, value }) => [name, value].some((each) => each === word)));
  if (chosen.includes(undefined))
    return { expected: `some of ${options.map(({ name }) => name).join(", ")}, separated by commas` };
  return { value: chosen.flatMap((each) => (each ? [String(each.value)] : [])) };
}

const formats: Readonly<Record<string, { fits(text: string): boolean; words: string }>> = {
  email: { fits: (text) => /^[^\s@]+@[^\s@]+$/.test(text), words: "an email address" },
  uri: { fits: (text) => URL.canParse(text), words: "an address such as https://example.com" },
  date: {
    fits: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
    words: "a date such as 2026-11-23",
  },
  "date-time": {
    fits: (text) => /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text)),
    words: "a time such as 2026-11-23T10:00:00Z",
  },
};

function readText(
  text: string,
  { minLength, maxLength, format }: Record<string, unknown>,
): ReturnType<FormField["read"]> {
  if (typeof minLength === "number" && text.length < minLength) return { expected: `at least ${minLength} characters` };
  if (typeof maxLength === "number" && text.length > maxLength) return { expected: `at most ${maxLength} characters` };
  const form = typeof format === "string" && Object.hasOwn(formats, format) ? formats[format] : undefined;
  return form && !form.fits(text) ? { expected: form.words } : { value: text };
}

function givenValue(value: unknown): FieldValue | undefined {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return Array.isArray(value) && value.every((each) => typeof each === "string") ? value : undefined;
}
