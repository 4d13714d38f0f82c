const HIDDEN = "[hidden]";

/** Forms that keys of well-known services have, and the places where other keys are written. */
const PATTERNS: readonly RegExp[] = [
  /\b(?:sk|pk|rk)[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9_-]{8,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{16,}/g,
  /\bgithub_pat_\w{16,}/g,
  /\bglpat-[\w-]{16,}/g,
  /\bxox[abeoprs]-[\w-]{10,}/g,
  /\bhf_[A-Za-z0-9]{16,}/g,
  /\bAIza[\w-]{20,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{12,}/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
];
/** `Bearer x`, `api_key=x`, `"token": "x"`: what names the secret stays. */
const NAMED =
  /\b(bearer\s+|basic\s+|(?:[\w-]*(?:api[-_]?key|token|secret|password|passwd|authorization))["']?\s*[:=]\s*["']?(?:bearer\s+)?)[^\s"',;&]{6,}/gi;
/** `https://name:password@host` */
const IN_URL = /(\/\/[^\s/:@]*:)[^\s/@]+(?=@)/g;

/** Shorter values would hide ordinary words. */
const SHORTEST_SECRET = 6;

/** Takes out whatever looks like a key, and the secrets that are known. */
export function redact(text: string, secrets: Iterable<string>): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length < SHORTEST_SECRET) continue;
    for (const form of new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])) {
      clean = clean.replaceAll(form, HIDDEN);
    }
  }
  for (const pattern of PATTERNS) clean = clean.replace(pattern, HIDDEN);
  return clean.replace(NAMED, `$1${HIDDEN}`).replace(IN_URL, `$1${HIDDEN}`);
}
