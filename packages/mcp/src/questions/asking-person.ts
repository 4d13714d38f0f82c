import type { PersonAnswer, PersonQuestion, ToolContext } from "@harness/core";
import { plainLine, plainLines } from "@harness/host";
import type { McpAnswer, McpAsk, McpQuestion } from "../ports/people.ts";
import { type FieldValue, type FormField, formFields } from "./form-field.ts";
import { wantsSecret } from "./secret-request.ts";

type Ask = NonNullable<ToolContext["ask"]>;
/** `notes`: unanswered questions and the reasons, for the result of the call. */
export type AskingPerson = { ask: McpAsk; notes: string[] };

const MAX_MESSAGE = 2_000;
const MAX_ASKED = 100;
const MAX_TRIES = 5;
const YES = "yes";
const NO = "no";
const SKIP = "skip";
const DEFAULT = "default";

/** Puts a server's questions to the session's user, field by field, always with the server's name. */
export function askingPerson(ask: Ask | undefined): AskingPerson {
  const notes: string[] = [];
  const declined = ({ message }: McpQuestion, why: string): McpAnswer => {
    notes.push(`(The server asked: ${plainLine(message, MAX_ASKED)}. ${why}, so it was declined.)`);
    return { action: "decline" };
  };
  return {
    notes,
    async ask(question, signal) {
      if (!ask) return declined(question, "Nobody can be asked here");
      const dialog = new FormDialog(ask, question, signal);
      const fields = question.kind === "url" ? [] : formFields(question.schema);
      if ("problem" in fields) return declined(question, `It was not shown: ${fields.problem}`);
      if (fields.some(({ options }) => options.length === 0) && wantsSecret(question.message))
        return declined(question, "It was not shown: it asks for a secret, which must not be typed into a form");
      const answer = question.kind === "url" ? await dialog.address(question.url) : await dialog.form(fields);
      if (!("unanswered" in answer)) return answer;
      if (answer.unanswered === "withdrawn") return { action: "cancel" };
      return declined(question, reasons[answer.unanswered]);
    },
  };
}

type UnansweredAsk = Extract<PersonAnswer, { unanswered: string }>;

/** Why a question has no answer, as the beginning of a sentence. */
export const reasons: Readonly<Record<Exclude<UnansweredAsk["unanswered"], "withdrawn">, string>> = {
  declined: "The person declined to answer",
  no_client: "Nobody can be asked here",
  expired: "Nobody answered in time",
  silent: "There was no answer",
  back: "There was no answer",
};

function escapedAddress(url: string): string {
  return url.replace(/[^\x21-\x7e]/gu, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

class FormDialog {
  readonly #ask: Ask;
  readonly #question: McpQuestion;
  readonly #signal: AbortSignal;

  constructor(ask: Ask, question: McpQuestion, signal: AbortSignal) {
    this.#ask = ask;
    this.#question = question;
    this.#signal = signal;
  }

  /** harness opens and fetches nothing: the user does that, after seeing where it leads. */
  async address(url: string): Promise<McpAnswer | UnansweredAsk> {
    const read = URL.canParse(url) ? new URL(url) : undefined;
    const host = read?.host ?? "an address that cannot be read";
    // As browsers send it: percent-encodes characters that look like a slash or reverse the text.
    const address = plainLines(read?.href ?? escapedAddress(url), MAX_MESSAGE);
    const message = `${this.#intro()}\nOpen this in a browser, if you trust ${host}:\n${address}`;
    const link = read ? { url: read.href } : {};
    const answer = await this.#put({ message, ...link, options: yesOrNo("I have opened it"), freeText: false });
    return "unanswered" in answer ? answer : consent(answer);
  }

  async form(fields: readonly FormField[]): Promise<McpAnswer | UnansweredAsk> {
    if (fields.length === 0) {
      const answer = await this.#put({ message: this.#intro(), options: yesOrNo("Yes"), freeText: false });
      return "unanswered" in answer ? answer : consent(answer);
    }
    const content: Record<string, FieldValue> = {};
    for (const [at, field] of fields.entries()) {
      const answer = await this.#field(field, fields.length > 1 ? `(${at + 1} of ${fields.length}) ` : "");
      if ("unanswered" in answer) return answer;
      if (answer.value !== undefined) content[field.name] = answer.value;
    }
    return { action: "accept", content };
  }

  async #field(field: FormField, count: string): Promise<{ value: FieldValue | undefined } | UnansweredAsk> {
    const options = fieldOptions(field);
    let wrong = "";
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const message = `${this.#intro()}\n${count}${field.label}${wrong}`;
      const answer = await this.#put({ message, options, freeText: field.options.length === 0 });
      if ("unanswered" in answer) return answer;
      if ("optionId" in answer) return { value: valueOfOption(field, answer.optionId) };
      const read = field.read(answer.text);
      if ("value" in read) return read;
      wrong = `\nThat is not valid. Expected: ${read.expected}.`;
    }
    return { unanswered: "silent" };
  }

  #put(question: PersonQuestion): Promise<PersonAnswer> {
    return this.#ask(question, this.#signal);
  }

  #intro(): string {
    const { server, message } = this.#question;
    return `The MCP server ${plainLine(server, MAX_ASKED)} asks: ${plainLines(message, MAX_MESSAGE)}`;
  }
}

function yesOrNo(yes: string): PersonQuestion["options"] {
  return [
    { optionId: YES, name: yes },
    { optionId: NO, name: "No" },
  ];
}

function consent(answer: { optionId: string } | { text: string }): McpAnswer {
  return "optionId" in answer && answer.optionId === YES ? { action: "accept" } : { action: "decline" };
}

function fieldOptions(field: FormField): PersonQuestion["options"] {
  const options = field.options.map(({ name }, at) => ({ optionId: `${at + 1}`, name }));
  if (field.default !== undefined) {
    const chosen = field.options.find(({ value }) => value === field.default);
    return [
      ...options,
      { optionId: DEFAULT, name: `As suggested: ${plainLine(chosen?.name ?? String(field.default), MAX_ASKED)}` },
    ];
  }
  return field.isRequired ? options : [...options, { optionId: SKIP, name: "Leave it empty" }];
}

function valueOfOption(field: FormField, optionId: string): FieldValue | undefined {
  if (optionId === DEFAULT) return field.default;
  return optionId === SKIP ? undefined : field.options[Number(optionId) - 1]?.value;
}
