import type { OutputUnit, Schema } from "@cfworker/json-schema";

/** A value that fits, or the reason why none does, as a sentence for the model and for people. */
type CheckedAnswer = JsonValue | { readonly problem: string };

/** Issues that a repair names; the rest often follow from these. */
const MAX_ISSUES = 10;

/** The JSON Schema (draft 2020-12) that the last message of a run has to fit. */
export class AnswerSchema {
  readonly #schema: Schema;
  readonly #issuesOf: (value: unknown) => readonly OutputUnit[];

  private constructor(schema: Schema, issuesOf: (value: unknown) => readonly OutputUnit[]) {
    this.#schema = schema;
    this.#issuesOf = issuesOf;
  }

  /** Rejects with an `Error` for people if no value can be checked by it. */
  static async of(schema: unknown): Promise<AnswerSchema> {
    if (!isSchema(schema)) throw new Error("It is not a JSON Schema: an object is expected.");
    const { Validator } = await import("@cfworker/json-schema");
    const validator = new Validator(schema, "2020-12", false);
    // A reference without a target throws.
    validator.validate(null);
    return new AnswerSchema(schema, (value) => validator.validate(value).errors);
  }

  /** Goes to the model along with the task. */
  get instructions(): string {
    return `When you are done, answer with one JSON value that fits this JSON Schema, without other words and without a code fence:\n${JSON.stringify(this.#schema)}`;
  }

  /** The request to answer again. */
  repair(problem: string): string {
    return `Your last message cannot be used: ${problem}\n${this.instructions}`;
  }

  /** Models put fences and words around JSON: the value within them counts, the last one that fits. */
  check(answer: string): CheckedAnswer {
    const found = valuesIn(answer);
    const [first] = found;
    if (!first) return { problem: "it is not JSON." };
    const fitting = found.find(({ value }) => this.#issuesOf(value).length === 0);
    if (fitting) return fitting;
    const issues = innermost(this.#issuesOf(first.value));
    const named = issues.slice(0, MAX_ISSUES).map((each) => `${placeOf(each)}: ${each.error.replace(/\.$/, "")}`);
    const rest = issues.length > MAX_ISSUES ? [`and ${issues.length - MAX_ISSUES} more`] : [];
    return { problem: `it does not fit the schema. ${[...named, ...rest].join("; ")}.` };
  }
}

/** The library looks at the rest. */
function isSchema(schema: unknown): schema is Schema {
  return typeof schema === "object" && schema !== null && !Array.isArray(schema);
}

/** Without those that only say that something inside is wrong. */
function innermost(issues: readonly OutputUnit[]): readonly OutputUnit[] {
  const isOuter = ({ instanceLocation: at }: OutputUnit) =>
    issues.some(({ instanceLocation }) => instanceLocation.startsWith(`${at}/`));
  return issues.filter((issue) => !isOuter(issue));
}

/** `#/comments/0/line` is `comments.0.line`. */
function placeOf({ instanceLocation }: OutputUnit): string {
  const path = instanceLocation.replace(/^#\/?/, "").replaceAll("/", ".");
  return path === "" ? "the value" : path;
}

const FENCE = /```[a-z]*\n([\s\S]*?)\n```/gi;

type JsonValue = { readonly value: unknown };

/** The whole text; else its fenced blocks that are JSON, and its objects and arrays between words, the last ones first. */
function valuesIn(text: string): JsonValue[] {
  const whole = parsed(text);
  if (whole) return [whole];
  const fenced = [...text.matchAll(FENCE)].map(([, body = ""]) => parsed(body)).reverse();
  return [...fenced, ...bracketed(text).map(parsed).reverse()].filter((each) => each !== undefined);
}

/**
 * From each bracket to the one that closes it. A part of a value that is cut off, or not JSON, is not an answer by
 * itself.
 */
function bracketed(text: string): string[] {
  const found: string[] = [];
  let end = 0;
  for (const { index } of text.matchAll(/[[{]/g)) {
    if (index < end) continue;
    const piece = balanced(text, index);
    if (piece === undefined) break;
    found.push(piece);
    end = index + piece.length;
  }
  return found;
}

/** Brackets in strings do not count. */
function balanced(text: string, from: number): string | undefined {
  let depth = 0;
  for (const { 0: token, index } of text.slice(from).matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    if (depth === 0) return text.slice(from, from + index + 1);
  }
  return undefined;
}

function parsed(text: string): JsonValue | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
