import { replaceKeyForms } from "@harness/host";
import { asList, asRecord, asText, isRecord, tryParseJson } from "../../json/lenient-json.ts";

const MAX_LENGTH = 300;

/** A server's error, as far as its format is recognised. All text in it is untrusted. */
export type ErrorText = {
  message: string;
  /** Codes and types, for programs. */
  codes: string;
  /** A status inside the body, if the HTTP status differs or is missing. */
  status?: number;
};

/** Reads the error objects of OpenAI, OpenRouter, Ollama, FastAPI and the like; anything else counts as text. */
export function readErrorBody(body: string): ErrorText {
  const parsed = tryParseJson(body);
  if (!parsed.ok) return { message: plainText(body), codes: "" };
  // Google's OpenAI endpoint wraps its errors in a list.
  const value = Array.isArray(parsed.value) ? parsed.value[0] : parsed.value;
  return isRecord(value) ? readErrorObject(value) : { message: plainText(body), codes: "" };
}

export function readErrorObject(value: unknown): ErrorText {
  const outer = asRecord(value);
  const error = isRecord(outer.error) ? outer.error : outer;
  // FastAPI; Mistral has it in `message`.
  const details = [...asList(outer.detail), ...asList(asRecord(outer.message).detail)].map(asRecord);
  const candidates = [
    innerMessage(error.metadata),
    asText(error.message),
    asText(outer.error),
    asText(outer.message),
    asText(outer.detail),
    details.map(({ msg }) => asText(msg)).join("; "),
    asText(asRecord(asList(outer.errors)[0]).message),
  ];
  const named = [
    error.code,
    error.type,
    outer.error_type,
    error.status,
    error.param,
    ...details.flatMap(({ loc }) => asList(loc)),
  ];
  const places = details.map(({ loc }) => asList(loc).join("."));
  const codes = [...named.filter((code) => typeof code === "string"), ...places];
  const status = [error.code, error.status, outer.status].map(Number).find((code) => code >= 400 && code <= 599);
  const message = candidates.find((text) => text !== "") ?? JSON.stringify(value);
  return { message: plainText(message), codes: codes.join(" "), ...(status && { status }) };
}

/** OpenRouter puts the upstream provider's error into `metadata.raw`, as text that is often JSON. */
function innerMessage(metadata: unknown): string {
  const { raw } = asRecord(metadata);
  if (typeof raw !== "string" || raw === "") return "";
  const parsed = tryParseJson(raw);
  return parsed.ok && isRecord(parsed.value) ? readErrorObject(parsed.value).message : raw;
}

/** Converts to one short line without markup and control characters. */
function plainText(text: string): string {
  const plain = (/<[a-z!/]/i.test(text) ? withoutMarkup(text) : text)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not reach a terminal is what is looked for
    .replace(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, "")
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .toWellFormed()
    .trim();
  return plain.length > MAX_LENGTH ? `${plain.slice(0, MAX_LENGTH).toWellFormed()}…` : plain;
}

/** Characters of an error page to examine. */
const MAX_PAGE = 8_000;

/** The title of an error page says more than its body. */
function withoutMarkup(page: string): string {
  const html = page.slice(0, MAX_PAGE);
  const title = /<title[^<>]*>([^<]*)<\/title>/i.exec(html)?.[1];
  if (title?.trim()) return title;
  return html.replace(/<(script|style)\b[^<>]*>[\s\S]*?<\/\1\s*>/gi, " ").replace(/<[^<>]*>/g, " ");
}

/** Wider than the formats of keys, because servers repeat keys with parts hidden. */
const SECRETS = /\b(sk|pk|rk|gsk|xai|hf|key)[-_][\w.*-]{6,}|\bBearer\s+[^\s"']+|(?<=\/\/)[^\s/@]+@/gi;

/** Names of variables begin like some keys: `XAI_API_KEY`. */
const VARIABLE = /^[A-Z]+(_[A-Z]+)+$/;

/** Removes the key, should a server repeat it, and everything else that looks like one. */
export function withoutSecrets(text: string, key: string | undefined): string {
  const known = key !== undefined && key.length >= 4 ? text.replaceAll(key, "…") : text;
  const plain = known.replace(SECRETS, (found) => (VARIABLE.test(found) ? found : "…"));
  return replaceKeyForms(plain, () => "…");
}
