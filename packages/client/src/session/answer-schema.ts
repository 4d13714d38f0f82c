import type { OutputUnit, Schema } from "@cfworker/json-schema";

/** A value that fits, or the reason why none does, as a sentence for the model and for people. */
type CheckedAnswer = { readonly value: unknown } | { readonly problem: string };

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

  /** Models put fences and words around JSON: the value within them counts. */
  check(answer: string): CheckedAnswer {
    const found = jsonIn(answer);
    if (!found) return { problem: "it is not JSON." };
    const issues = innermost(this.#issuesOf(found.value));
    if (issues.length === 0) return found;
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

/** The whole text; else its last fenced block that is JSON; else all from its first bracket to its last. */
function jsonIn(text: string): { readonly value: unknown } | undefined {
  const fenced = [...text.matchAll(FENCE)].map(([, body = ""]) => body).reverse();
  const start = text.search(/[[{]/);
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"));
  const between = start >= 0 && end > start ? [text.slice(start, end + 1)] : [];
  for (const each of [text, ...fenced, ...between]) {
    const value = parsed(each);
    if (value) return value;
  }
  return undefined;
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
