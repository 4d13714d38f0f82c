import type { ToolCallPart } from "@harness/protocol";
import type { z } from "zod";
import type { ToolAlias, ToolForm } from "../../ports/tool.ts";
import { isInput } from "../../tools/argument-names.ts";
import { canonicalJson } from "../json/canonical-json.ts";
import { isTooDeep, TOO_DEEP } from "../json/json-depth.ts";
import { jsonMistake } from "../json/json-mistake.ts";
import { repairJson } from "../json/repair-json.ts";
import { toolSpec } from "../toolbox/tool-spec.ts";
import { fieldsHint, issuesText, issueWords, received, valueAt } from "./argument-issue.ts";
import { type ArgumentSchema, coerce, numbersAsText, unknownKeys } from "./coerce.ts";
import { canGoWithout, isRemark, knownNames, withoutArgument } from "./unknown-arguments.ts";

/**
 * Arguments for the tool, with notes for the model on ignored fields and descriptions of repairs for people; or the
 * problem, in a few words for people if it is about one argument, with the arguments if nothing else is wrong.
 */
export type CallArguments =
  | { args: unknown; notes: string[]; repairs: string[] }
  | { problem: string; shown?: string | undefined; args?: unknown };

type WrittenArguments = Pick<ToolCallPart, "input" | "inputText">;

/**
 * Turns what the model wrote into arguments of the tool: parse, alias, repair, validate. Pure. A call that was cut off
 * is never completed by guessing, and a missing value is never invented.
 */
export function callArguments(call: WrittenArguments, tool: ToolForm, alias?: ToolAlias): CallArguments {
  const parsed = parseInput(call);
  if ("problem" in parsed) return parsed;
  if (alias?.form) return argumentsOfForm(call, tool, { ...alias, form: alias.form });
  const schema = toolSpec(tool).inputSchema as ArgumentSchema;
  // Argument names of another program are not a mistake.
  const written = alias ? alias.convert(parsed.input) : parsed.input;
  const coerced = coerce(schema, written);
  if (!isInput(coerced)) return { problem: notAnObject(received(coerced)) };
  const input = tool.category === "readOnly" ? numbersAsText(schema, coerced) : coerced;
  const unknown = isClosed(tool) ? unknownKeys(schema, input) : [];
  const known = Object.fromEntries(Object.entries(input).filter(([key]) => !unknown.includes(key)));
  const checked = checkedArguments(tool, schema, known);
  if ("issues" in checked && unknown.length === 0)
    return { problem: issuesText(tool.name, checked.issues, known, schema), shown: issueWords(checked.issues, known) };
  const category = ("args" in checked && tool.categoryOf?.(checked.args)) || tool.category;
  const place = { category, known: Object.keys(schema.properties ?? {}) };
  // The arguments of a foreign tool are what its server says.
  const refused = unknown.filter(
    (key) => !(tool.inputSchema ? category === "readOnly" : canGoWithout(key, input[key], place)),
  );
  if (refused.length > 0)
    return {
      ...{ problem: unknownKeysText(tool, refused, schema), shown: `no argument ${refused[0]}` },
      ...("args" in checked && { args: checked.args }),
    };
  if ("issues" in checked)
    return { problem: issuesText(tool.name, checked.issues, known, schema), shown: issueWords(checked.issues, known) };
  const ignored = [...unknown.map((name) => ({ name, value: input[name] })), ...checked.ignored];
  const notes = ignored.length > 0 ? [ignoredText(namesOf(ignored))] : [];
  return {
    args: checked.args,
    notes,
    repairs: [...parsed.repairs, ...differences(written, input), ...leftOut(ignored)],
  };
}

type IgnoredArgument = { name: string; value: unknown };
type CheckedArguments = { args: unknown; ignored: IgnoredArgument[] } | { issues: readonly z.core.$ZodIssue[] };

/** Inside other arguments, only the check itself finds the unknown ones. */
function checkedArguments(tool: ToolForm, schema: ArgumentSchema, input: Record<string, unknown>): CheckedArguments {
  const { category, args } = tool;
  const first = args.safeParse(input);
  if (first.success) return { args: first.data, ignored: [] };
  if (tool.inputSchema) return { issues: first.error.issues };
  const unknown = first.error.issues
    .flatMap((issue) => (issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key]) : []))
    .filter((path) => {
      const known = knownNames(schema, path.slice(0, -1));
      return canGoWithout(String(path.at(-1)), valueAt(input, path), { category, known });
    });
  const next = args.safeParse(unknown.reduce<unknown>(withoutArgument, input));
  if (!next.success) return { issues: next.error.issues };
  return {
    args: next.data,
    ignored: unknown.map((path) => ({ name: String(path.at(-1)), value: valueAt(input, path) })),
  };
}

/** The schema of a foreign tool allows everything it does not forbid. */
function isClosed({ inputSchema }: ToolForm): boolean {
  return !inputSchema || (inputSchema.additionalProperties === false && inputSchema.patternProperties === undefined);
}

/**
 * The model knows this form of the call: it is checked in this form, so that mistakes are named in the model's own
 * terms.
 */
function argumentsOfForm(call: WrittenArguments, tool: ToolForm, alias: ToolAlias & { form: ToolForm }): CallArguments {
  const ownForm = callArguments(call, alias.form);
  if ("problem" in ownForm) return { problem: ownForm.problem, shown: ownForm.shown };
  const converted = callArguments({ input: alias.convert(ownForm.args as Record<string, unknown>) }, tool);
  return "problem" in converted ? converted : { ...ownForm, args: converted.args };
}

/** Describes the arguments that coercion has changed. */
function differences(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  const spelled = Object.keys(after).filter((key) => !Object.hasOwn(before, key));
  const retyped = Object.keys(after).filter((key) => Object.hasOwn(before, key) && !isEqual(before[key], after[key]));
  const dropped = Object.keys(before).filter((key) => !Object.hasOwn(after, key)).length - spelled.length;
  return [
    ...(spelled.length > 0 ? [`the spelling of ${quoted(spelled)} was corrected`] : []),
    ...(retyped.length > 0 ? [`the type of ${quoted(retyped)} was converted`] : []),
    ...(dropped > 0 ? ["null was left out"] : []),
  ];
}

function isEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  return typeof one === "object" && typeof other === "object" && canonicalJson(one) === canonicalJson(other);
}

/** Words for people do no harm: models that learnt with other programs write them in every call. */
function leftOut(ignored: readonly IgnoredArgument[]): string[] {
  const names = namesOf(ignored.filter(({ name, value }) => !isRemark(name, value)));
  return names.length > 0 ? [`unknown ${quoted(names)} was left out`] : [];
}

function namesOf(ignored: readonly IgnoredArgument[]): string[] {
  return [...new Set(ignored.map(({ name }) => name))];
}

function quoted(keys: string[]): string {
  return keys.map((key) => `\`${key.slice(0, 60)}\``).join(", ");
}

/** The arguments as the model wrote them, without conversion; none if they are unreadable. */
export function writtenInput(call: WrittenArguments): Record<string, unknown> {
  const parsed = parseInput(call);
  return "problem" in parsed ? {} : parsed.input;
}

type ParsedInput = { input: Record<string, unknown>; repairs: string[] } | { problem: string };

/** Parses the raw text of arguments that the provider could not parse. */
function parseInput({ input, inputText }: WrittenArguments): ParsedInput {
  if (input) return isTooDeep(input) ? { problem: TOO_DEEP } : { input, repairs: [] };
  const text = (inputText ?? "").trim();
  if (text === "") return { input: {}, repairs: ["missing arguments were taken as none"] };
  const plain = unfenced(text);
  const repairs = plain === text ? [] : ["text around the JSON was left out"];
  let value: unknown = plain;
  // Twice: some models send a JSON string that holds the JSON.
  for (let round = 0; round < 2 && typeof value === "string"; round += 1) {
    const read = parseJson(value);
    if ("problem" in read) return read;
    value = read.value;
    repairs.push(...read.repairs);
    if (typeof value === "string") repairs.push("JSON inside a string was unpacked");
  }
  // Missing arguments are named by the schema check.
  if (value === null) return { input: {}, repairs: ["null was taken as no arguments"] };
  if (isTooDeep(value)) return { problem: TOO_DEEP };
  if (Array.isArray(value) && value.length === 1) {
    value = value[0];
    repairs.push("the only object of a list was taken");
  }
  return isInput(value) ? { input: value, repairs } : { problem: notAnObject(received(value)) };
}

function parseJson(text: string): { value: unknown; repairs: string[] } | { problem: string } {
  try {
    return { value: JSON.parse(text) as unknown, repairs: [] };
  } catch {
    // The repairs close and complete nothing: the missing rest of a cut call is unknown.
    const { text: repaired, repairs } = repairJson(text);
    const mistake = jsonMistake(repaired);
    if (mistake === undefined) return { value: JSON.parse(repaired) as unknown, repairs };
    return { problem: mistake === "cut" ? unfinishedText(text) : notJson(repaired, mistake) };
  }
}

function unfenced(text: string): string {
  return text.replace(/^```(?:json)?\s*([\s\S]*?)\s*```$/, "$1");
}

/** An output limit does not cut arguments shorter than this. */
const LONG_ARGUMENTS = 8_000;

/**
 * For a call that ends early although the reply reached no limit: the server may have lost the rest. It may also have
 * its own limit, which shows only if long arguments end early again.
 */
function unfinishedText(inputText: string): string {
  const again = "Send all of it again.";
  const parts = inputText.length < LONG_ARGUMENTS ? "" : " If it ends early again, send it as several smaller calls.";
  return `Your call arrived incomplete: its arguments end after ${inputText.length} characters. It did not run. ${again}${parts}`;
}

/** For a call that was cut at the limit of output. */
export function truncatedCallText(inputText: string): string {
  return `Your call was cut after ${inputText.length} characters of arguments; it did not run. Send it in parts: several smaller calls.`;
}

function notJson(text: string, at: number): string {
  const what = "The arguments are not valid JSON; the call did not run.";
  if (at < SHORT_TEXT) return `${what} Received: ${received(text)}. Send one JSON object.`;
  const around = text.slice(at - BEFORE_MISTAKE, at + AFTER_MISTAKE).toWellFormed();
  return `${what} They stop being JSON at character ${at + 1}, after a quote or backslash that is not escaped, or a bracket too many: …${around}… Send one JSON object.`;
}

/** A mistake further down is not in the excerpt. */
const SHORT_TEXT = 150;
const BEFORE_MISTAKE = 60;
const AFTER_MISTAKE = 20;

function notAnObject(what: string): string {
  return `The arguments must be one JSON object; the call did not run. Received: ${what}.`;
}

function unknownKeysText(tool: ToolForm, unknown: string[], schema: ArgumentSchema): string {
  return `\`${tool.name}\` has no argument ${quoted(unknown)}; it did not run. ${fieldsHint(schema)}`;
}

function ignoredText(unknown: string[]): string {
  return `Ignored unknown arguments: ${unknown.map((key) => key.slice(0, 60)).join(", ")}.`;
}
