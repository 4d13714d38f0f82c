import { masked } from "./masked.ts";
import { hideKeys, openKey } from "./redact.ts";

export type Secret = { name: string; value: string };

/** Removes secrets from texts: the given ones, and everything in the format of a well-known service's key. */
export type Redactor = {
  /** Replaces each secret with `[secret NAME]`. A text without secrets is returned unchanged. */
  hide(text: string): string;
  /** Blanks each secret without changing the length of the text. */
  blank(text: string): string;
  /** How many trailing characters of a text may be the beginning of a secret. */
  open(text: string): number;
};

/** Shorter values are ordinary words, such as the `EMPTY` that local servers accept as a key. */
const MIN_SECRET_LENGTH = 16;
const SECRET_NAME = /TOKEN|SECRET|PASSWORD|API_?KEY/i;
/** The name of a location, not of a secret: hiding it would only damage paths. */
const PLACE_NAME = /_(?:FILE|PATH|DIR|URL|URI|HOST|ENDPOINT)$/i;

/** The variables whose values must not be repeated: those in `keyNames`, and those named like a secret. */
export function secretsIn(env: Readonly<Record<string, string | undefined>>, keyNames: Iterable<string>): Secret[] {
  const known = new Set(keyNames);
  return Object.entries(env).flatMap(([name, given]) => {
    const value = given?.trim() ?? "";
    const isNamed = known.has(name) || (SECRET_NAME.test(name) && !PLACE_NAME.test(name));
    return isNamed && value.length >= MIN_SECRET_LENGTH ? [{ name, value }] : [];
  });
}

/** A single search for all secrets, in each of their forms. */
export function createRedactor(secrets: Iterable<Secret>): Redactor {
  const names = new Map<string, string>();
  for (const { name, value } of secrets) {
    if (value.length < MIN_SECRET_LENGTH) continue;
    for (const form of formsOf(value)) if (!names.has(form)) names.set(form, name);
  }
  // If one secret is a prefix of another, the longer one matches.
  const forms = [...names.keys()].sort((a, b) => b.length - a.length);
  const any = names.size === 0 ? undefined : new RegExp(forms.map(escaped).join("|"), "g");
  const replaced = (text: string, put: (form: string) => string) =>
    any === undefined || text.length < MIN_SECRET_LENGTH ? text : text.replace(any, put);
  return {
    hide: (text) =>
      hideKeys(
        replaced(text, (form) => `[secret ${names.get(form)}]`),
        (form) => `[secret ${form.startsWith("-----") ? "private key" : masked(form)}]`,
      ),
    blank: (text) => hideKeys(replaced(text, starred), starred),
    open(text) {
      const end = text.length - Math.max(openKey(text), openForm(text, forms));
      return text.length - (any === undefined ? end : beforeMatch(text, end, any, forms[0]?.length ?? 0));
    },
  };
}

/** The forms of a secret in texts, URLs, JSON, bytes decoded as Latin-1, and base64 at any offset. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const forms = [
    value,
    encodeURIComponent(value.toWellFormed()),
    JSON.stringify(value).slice(1, -1),
    bytes.toString("latin1"),
  ];
  for (const before of [0, 1, 2]) {
    // The characters at both ends also encode bits of the surrounding text: only those in between belong to the secret.
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const own = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    forms.push(own, own.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return forms;
}

/** The length of the longest form that the end of the text may have begun. */
function openForm(text: string, forms: readonly string[]): number {
  let most = 0;
  for (const form of forms) {
    const first = form.slice(0, 1);
    let at = text.indexOf(first, Math.max(0, text.length - form.length + 1));
    while (at !== -1 && text.length - at > most) {
      if (form.startsWith(text.slice(at))) most = text.length - at;
      at = text.indexOf(first, at + 1);
    }
  }
  return most;
}

/** The position itself, or the start of the secret that it would split. */
function beforeMatch(text: string, place: number, any: RegExp, longest: number): number {
  if (place === text.length) return place;
  any.lastIndex = Math.max(0, place - longest);
  for (let match = any.exec(text); match && match.index < place; match = any.exec(text)) {
    if (any.lastIndex > place) return match.index;
  }
  return place;
}

function starred(form: string): string {
  return "[secret]".padEnd(form.length, "*");
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
