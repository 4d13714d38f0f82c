import type { LoginVendor } from "./login-target.ts";
import { type Attempt, isSame } from "./pkce.ts";

/** The result of the redirect (RFC 6749, 4.1.2). */
export type RedirectAnswer =
  | { is: "code"; code: string; clientId?: string }
  /** The vendor refused: the login is over. */
  | { is: "refusal"; problem: string }
  /** Not an answer to this attempt, which continues. */
  | { is: "stray"; problem: string };

const MAX_CODE = 8 * 1024;

/** Reads the parameters of a redirect, which any program may have sent. */
export function readRedirect(params: URLSearchParams, attempt: Attempt, vendor: LoginVendor): RedirectAnswer {
  const state = params.get("state");
  const again = `start again with \`harness auth login ${vendor.id}\``;
  if (state === null || state === "") {
    const problem = `The state is missing, which shows that this belongs to your login: ${pasteInstruction(vendor)}.`;
    return { is: "stray", problem };
  }
  if (!isSame(state, attempt.state)) {
    return {
      is: "stray",
      problem: `This belongs to a different login: paste the address of the current one, or ${again}.`,
    };
  }
  const error = params.get("error");
  if (error !== null) {
    // The description is not repeated, because its sender is uncertain.
    const name = /^[a-z_]{3,40}$/.test(error) ? error : "an error without a name";
    const denied = `Access to ${vendor.name} was denied in the browser.`;
    const problem = name === "access_denied" ? denied : `${vendor.name} refused the login (${name}): ${again}.`;
    return { is: "refusal", problem };
  }
  const code = params.get("code") ?? "";
  if (code.length > MAX_CODE || !/^[\x21-\x7e]+$/.test(code)) {
    return { is: "stray", problem: `The code is missing: ${pasteInstruction(vendor)}.` };
  }
  const clientId = params.get("client_id");
  return { is: "code", code, ...(clientId !== null && /^[\w.-]{1,200}$/.test(clientId) && { clientId }) };
}

/** The parameters in pasted text: a whole address, a part of one, or `CODE#STATE`. */
export function readPasted(text: string): URLSearchParams {
  const trimmed = text.trim().replace(/^["'<]+|["'>]+$/g, "");
  if (/^https?:\/\//i.test(trimmed))
    return URL.canParse(trimmed) ? new URL(trimmed).searchParams : new URLSearchParams();
  if (/(^|[?&])(code|state|error)=/.test(trimmed)) return new URLSearchParams(trimmed.slice(trimmed.indexOf("?") + 1));
  const [code = "", state] = trimmed.split("#");
  return new URLSearchParams(state === undefined ? { code } : { code, state });
}

/** Completes "To end the login, …". */
export function pasteInstruction({ row }: LoginVendor): string {
  return row.pasteStyle === "url"
    ? "paste the whole address that the browser shows at the end, even if the page does not load"
    : "paste all of what the last page shows, CODE#STATE, or the whole address of that page";
}
