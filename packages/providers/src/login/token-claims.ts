import { asRecord, asText, type JsonRecord, tryParseJson } from "../json/lenient-json.ts";

const MAX_CLAIM = 200;

/**
 * The claims of a JSON Web Token (RFC 7519). Its signature is not checked: it came from the vendor's own token endpoint
 * over TLS (OpenID Connect Core 3.1.3.7, 6), and only names are taken from it. Empty for anything else.
 */
export function claimsOf(token: unknown): JsonRecord {
  const body = asText(token).split(".")[1];
  if (body === undefined) return {};
  const json = tryParseJson(Buffer.from(body, "base64url").toString("utf8"));
  return json.ok ? asRecord(json.value) : {};
}

/** A text nested in the claims, fit for display and for a header. */
export function claimAt(claims: JsonRecord, path: readonly string[]): string | undefined {
  let value: unknown = claims;
  for (const name of path) value = Object.hasOwn(asRecord(value), name) ? asRecord(value)[name] : undefined;
  const text = asText(value);
  return text.length <= MAX_CLAIM && /^[\x21-\x7e]+$/.test(text) ? text : undefined;
}
