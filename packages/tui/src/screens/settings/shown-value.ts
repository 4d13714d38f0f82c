import { formatList, type SettingView } from "@harness/protocol";

/** Replaces a secret. */
const MASK = "•••";

/** A name that holds a secret, and the value assigned to it, in JSON, in an environment, or in a header. */
const ASSIGNED =
  /((?:[\w-]*(?:token|secret|passw(?:or)?d|api[_-]?key|apikey|access[_-]?key|private[_-]?key|credential)[\w-]*|authorization)["']?\s*[=:]\s*["']?(?:bearer\s+|basic\s+)?|--(?:token|api-key|password|secret)[ =])([^\s"',}]+)/giu;
/** `user:password@` or `token@` in an address. */
const IN_ADDRESS = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+@/giu;
/** The form of a service's API key, wherever it appears. */
const KEY_FORM =
  /\b(?:sk|pk|rk)[-_][\w-]{12,}|\bgh[pousr]_\w{16,}|\bgithub_pat_\w{16,}|\bglpat-[\w-]{12,}|\bxox[a-z]-[\w-]{10,}|\bAIza[\w-]{20,}|\bAKIA[A-Z0-9]{12,}|\bhf_\w{16,}|\beyJ[\w-]{16,}[\w.-]*/gu;

/** A value as the screen shows it, without the secrets in it. */
export function valueText(value: unknown): string {
  if (isUnset(value)) return "(not set)";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (isList(value)) return masked(formatList(value.map(withoutEnvironment))) || "(none)";
  return masked(typeof value === "string" ? value : JSON.stringify(value));
}

export function isUnset(value: unknown): value is null | undefined | "" {
  return value === null || value === undefined || value === "";
}

/** True if a value contains something that the screen must not show. */
export function holdsSecret(value: unknown): boolean {
  const plain = isList(value) ? formatList(value) : String(value ?? "");
  return plain !== "" && typeof value !== "boolean" && valueText(value) !== plain;
}

/** The text to start editing from: for a list that a project extends, only the user's own entries. */
export function editableText(view: SettingView): string {
  const value = view.own === undefined ? view.value : view.own;
  if (value === null || value === undefined) return "";
  return isList(value) ? formatList(value) : String(value);
}

function masked(text: string): string {
  return text.replace(IN_ADDRESS, `$1${MASK}@`).replace(ASSIGNED, `$1${MASK}`).replace(KEY_FORM, MASK);
}

/** An entry such as an MCP server in JSON, without the values of its variables and headers. */
function withoutEnvironment(entry: string): string {
  if (!entry.startsWith("{")) return entry;
  try {
    const hidden = new Set(["env", "headers"]);
    return JSON.stringify(JSON.parse(entry), (key, value: unknown) =>
      hidden.has(key) && typeof value === "object" && value !== null
        ? Object.fromEntries(Object.keys(value).map((name) => [name, MASK]))
        : value,
    );
  } catch {
    return entry;
  }
}

function isList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
