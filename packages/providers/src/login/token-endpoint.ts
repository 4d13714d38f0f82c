import { type Clock, type Egress, EgressError } from "@harness/core";
import { ProxyError } from "@harness/host";
import { asCount, asRecord, asText, type JsonRecord, tryParseJson } from "../json/lenient-json.ts";
import { withTimeout } from "../wires/http/ask-json.ts";
import { RequestTimeoutError } from "../wires/http/exchange.ts";
import { sendRequest } from "../wires/http/http-transport.ts";
import { isOnThisMachine, type LoginVendor } from "./login-target.ts";
import { claimAt, claimsOf } from "./token-claims.ts";
import type { Tokens } from "./token-store.ts";

/**
 * `refused`: the vendor no longer accepts the code or token, so another try is pointless. The problem is for people; it
 * contains nothing of the exchange but the name of an error.
 */
export type TokenAnswer = { tokens: Tokens } | { problem: string; refused: boolean };

export type TokenQuestion = {
  vendor: LoginVendor;
  url: URL;
  clientId: string;
  params: Readonly<Record<string, string>>;
  /** For a login with OpenID: there must be an identity token that repeats it (OpenID Connect Core, 3.1.3.7). */
  nonce?: string;
  clock: Clock;
  egress?: Egress | undefined;
};

const ANSWER_MS = 30_000;
const MAX_ANSWER = 1024 * 1024;
const MAX_TOKEN = 16 * 1024;
/** Answers that another attempt with the same token would not change. */
const FINAL =
  /^(invalid_(grant|client|request|refresh_token|token)|unauthorized_client|token_expired|access_denied|refresh_token_\w+)$/;

/** Asks a token endpoint (RFC 6749, 3.2). Never rejects. */
export async function askForTokens(question: TokenQuestion): Promise<TokenAnswer> {
  const { vendor } = question;
  let answer: { status: number; text: string };
  try {
    answer = await withTimeout(question.clock, ANSWER_MS, (signal) => send(question, signal));
  } catch (error) {
    return { problem: `${vendor.name} could not be reached for tokens: ${describeError(error)}.`, refused: false };
  }
  const json = tryParseJson(answer.text);
  const body = json.ok ? asRecord(json.value) : {};
  if (answer.status < 200 || answer.status > 299) return refusal(vendor, answer.status, body);
  return readTokens(question, body);
}

async function send({ vendor, url, clientId, params, egress }: TokenQuestion, signal: AbortSignal) {
  const { tokenStyle, extraTokenParams } = vendor.row;
  const fields = { ...params, client_id: clientId, ...extraTokenParams };
  const isForm = tokenStyle === "form";
  const body = isForm ? new URLSearchParams(fields).toString() : JSON.stringify(fields);
  const response = await sendRequest({
    purpose: "login",
    egress,
    url,
    method: "POST",
    headers: {
      accept: "application/json",
      "user-agent": "harness",
      "content-type": isForm ? "application/x-www-form-urlencoded" : "application/json",
    },
    body,
    signal,
    near: isOnThisMachine(url),
  });
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > MAX_ANSWER) throw new RangeError("The answer is larger than 1 MB.");
  }
  return { status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString("utf8") };
}

function refusal(vendor: LoginVendor, status: number, body: JsonRecord): TokenAnswer {
  // Some vendors send an object in place of the error name of RFC 6749, 5.2.
  const name = asText(body.error) || asText(asRecord(body.error).code) || asText(asRecord(body.error).type);
  // Only error names are repeated: longer text might contain what we sent.
  const detail = /^[a-z_]{3,40}$/.test(name) ? `${name}, status ${status}` : `status ${status}`;
  const refused = FINAL.test(name) || (name === "" && status === 401);
  return { problem: `${vendor.name} issued no tokens (${detail}).`, refused };
}

function readTokens({ vendor, clientId, nonce, clock }: TokenQuestion, body: JsonRecord): TokenAnswer {
  const unusable = (what: string): TokenAnswer => ({ problem: `${vendor.name} answered ${what}.`, refused: false });
  const accessToken = asText(body.access_token);
  if (!isToken(accessToken)) return unusable("without a usable access token");
  const kind = asText(body.token_type);
  if (kind !== "" && kind.toLowerCase() !== "bearer") return unusable("with a token type that harness cannot use");
  const claims = claimsOf(body.id_token);
  if (nonce !== undefined && claims.nonce !== nonce) {
    const isOther = claims.nonce !== undefined;
    return unusable(isOther ? "with tokens for another login" : "without an identity token that names this login");
  }
  const refreshToken = asText(body.refresh_token);
  const account = vendor.row.accountClaim && claimAt(claims, vendor.row.accountClaim);
  const expiresAt = expiryOf(body, accessToken, clock.now());
  const tokens: Tokens = {
    accessToken,
    ...(isToken(refreshToken) && { refreshToken }),
    ...(expiresAt !== undefined && { expiresAt }),
    issuedAt: new Date(clock.now()).toISOString(),
    ...(account !== undefined && { account }),
    clientId,
  };
  return { tokens };
}

/** True for a value that fits an `authorization` header and has a plausible size. */
function isToken(text: string): boolean {
  return text.length <= MAX_TOKEN && /^[\x21-\x7e]+$/.test(text);
}

/** `expires_in` as a number or digits; otherwise the expiry in the access token itself, if readable. */
function expiryOf(body: JsonRecord, accessToken: string, now: number): string | undefined {
  const lifetime = body.expires_in;
  const seconds = asCount(typeof lifetime === "string" && /^\d+$/.test(lifetime) ? Number(lifetime) : lifetime);
  const at = seconds === undefined ? asCount(claimsOf(accessToken).exp) : now / 1000 + seconds;
  // A date cannot represent more than ten thousand years.
  if (at === undefined || at > 250_000_000_000) return undefined;
  return new Date(at * 1000).toISOString();
}

function describeError(error: unknown): string {
  if (error instanceof RequestTimeoutError) return `no answer within ${error.limitMs / 1000} s`;
  if (error instanceof RangeError) return "its answer has no end";
  if (error instanceof EgressError || error instanceof ProxyError) return error.message.replace(/\.$/, "");
  const code = asText(asRecord(error).code);
  return /^[A-Z][A-Z0-9_]+$/.test(code) ? `the connection failed (${code})` : "the connection failed";
}
