/** The formats of well-known services' keys. `isWide`: ordinary words begin like it, too. */
const keyForms: readonly { form: RegExp; isWide?: true }[] = [
  // OpenAI, Anthropic, OpenRouter, Stripe.
  { form: /\b(?:sk|pk|rk)[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9_-]{8,}/g, isWide: true },
  // Groq, Hugging Face, npm and the tokens of GitHub.
  { form: /\b(?:gsk|hf|npm|gh[pousr])_[A-Za-z0-9]{16,}/g },
  { form: /\bgithub_pat_\w{16,}/g },
  { form: /\b(?:glpat-|xai-|pypi-AgE)[\w-]{16,}/g },
  { form: /\bdop_v1_[a-f0-9]{16,}/g },
  { form: /\bxox[abeoprs]-[\w-]{10,}/g },
  // Google.
  { form: /\bAIza[\w-]{20,}/g },
  { form: /\bya29\.[\w-]{16,}/g },
  // Amazon.
  { form: /\b(?:AKIA|ASIA)[A-Z0-9]{12,}/g },
  // JSON web tokens. After a hyphen the first part is bounded: otherwise `eyJ-eyJ-…` would be read from each position
  // to its end.
  { form: /(?:(?<![\w-])eyJ[\w-]{8,}|(?<=-)eyJ[\w-]{8,512})\.[\w-]{8,}\.[\w-]*/g },
];

const MIN_KEY_CHARS = 20;
const MAX_PIECE_CHARS = 2_048;
/** Random strings contain such a piece; names in sources do not. */
const RANDOM_PIECE = /(?=[A-Za-z0-9]{0,60}\d)(?=[A-Za-z0-9]{0,60}[A-Za-z])[A-Za-z0-9]{12}/;

/** Replaces everything that has the format of a key, in linear time. */
export function replaceKeyForms(text: string, replacement: (form: string) => string): string {
  return keyForms.reduce((clean, { form }) => clean.replace(form, replacement), text);
}

/** False for a name that only begins like a key. */
export function isRandom(form: string): boolean {
  return form.length >= MIN_KEY_CHARS && RANDOM_PIECE.test(form.slice(0, MAX_PIECE_CHARS));
}

/** True if the text contains a key. */
export function holdsKey(text: string): boolean {
  return keyForms.some(({ form, isWide }) => (text.match(form) ?? []).some((each) => !isWide || isRandom(each)));
}
