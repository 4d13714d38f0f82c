import { isRandom, replaceKeyForms } from "@harness/host";

const HIDDEN = "[hidden]";

/** `Bearer x`, `api_key=x`, `"token": "x"`, `--token x`: the name of the secret stays. */
const NAMED =
  /\b(bearer\s+|basic\s+|(?:[\w-]{0,40}(?:api[-_]?key|access[-_]?key|private[-_]?key|token|secret|password|passwd|authorization))["']?\s*[:=]\s*["']?(?:bearer\s+)?)[^\s"',;&]{6,}/gi;
const FLAGGED =
  /(\s--(?:[\w-]{0,40}-)?(?:key|token|secret|password|passwd|pass)\s+["']?|\bsshpass\s+-p\s*["']?|\bmysql\w{0,10}\s[^|;&]{0,80}?-p)(?!-)[^\s"',;&|]+/gi;
/** `-u name:password`, as for curl. */
const IN_USER = /(\s(?:-u|--user)[\s=]+["']?[^\s:"']{1,100}:)[^\s"']+/g;
/** `https://name:password@host` */
const IN_URL = /(\/\/[^\s/:@]*:)[^\s/@]+(?=@)/g;

/** A complete key file, or the beginning of one. */
const KEY_BLOCK =
  /-----BEGIN ([A-Z ]{0,40}PRIVATE KEY-----)(?:(?!-----BEGIN )[\s\S]){16,16384}?-----END \1|-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\w+/=\s\\]{64,16384}/g;
const MIN_KEY_LENGTH = 20;
const MAX_PIECE = 2_048;

/** Shorter values would hide ordinary words. */
const MIN_SECRET_LENGTH = 6;

/**
 * Replaces private keys, and keys in the format of well-known services. Sources and pages contain much that only
 * resembles keys and must stay, so text that is not random is left alone. `hide` returns the replacement.
 */
export function hideKeys(text: string, hide: (key: string) => string): string {
  if (text.length < MIN_KEY_LENGTH) return text;
  const clean = text.includes("PRIVATE KEY-----") ? text.replace(KEY_BLOCK, hide) : text;
  return replaceKeyForms(clean, (form) => (isRandom(form) ? hide(form) : form));
}

/** Counts the trailing characters of a text that the following text may turn into such a key. */
export function openKey(text: string): number {
  const block = text.lastIndexOf("-----BEGIN ");
  const rest = block === -1 ? "" : text.slice(block, block + 16_384);
  if (/^-----BEGIN [A-Z ]{0,40}(?:PRIVATE KEY-----|$)/.test(rest) && !rest.includes("-----END ")) {
    if (text.length - block < 16_384) return text.length - block;
  }
  const end = text.slice(-MAX_PIECE);
  const tail = end.slice(lastWordStart(end));
  const token = tail.search(/\b(?:eyJ|ya29)/);
  if (token >= 0) return tail.length - token;
  const word = tail.slice(tail.lastIndexOf(".") + 1).replace(/^-+/, "");
  return word.length;
}

/** Where the trailing letters begin that may be part of a key. */
function lastWordStart(text: string): number {
  let start = text.length;
  while (start > 0 && /[\w.-]/.test(text[start - 1] ?? "")) start -= 1;
  return start;
}

/** Replaces the known secrets and everything that looks like a key. */
export function redact(text: string, secrets: Iterable<string>): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length < MIN_SECRET_LENGTH) continue;
    for (const form of new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])) {
      clean = clean.replaceAll(form, HIDDEN);
    }
  }
  clean = replaceKeyForms(clean, () => HIDDEN);
  for (const named of [NAMED, FLAGGED, IN_USER, IN_URL]) clean = clean.replace(named, `$1${HIDDEN}`);
  return clean;
}
