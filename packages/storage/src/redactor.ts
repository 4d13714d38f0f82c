export type Secret = { name: string; value: string };

/** Shorter values are ordinary words, such as the `EMPTY` that local servers take for a key. */
const SHORTEST_SECRET = 16;
const SECRET_NAME = /TOKEN|SECRET|PASSWORD|API_?KEY/i;
/** Says where something is, not what it is: hiding it would only damage paths. */
const PLACE_NAME = /_(?:FILE|PATH|DIR|URL|URI|HOST|ENDPOINT)$/i;

/** The variables of an environment whose values must not be repeated: the named ones, and those named like a secret. */
export function secretsIn(env: Readonly<Record<string, string | undefined>>, keyNames: Iterable<string>): Secret[] {
  const known = new Set(keyNames);
  return Object.entries(env).flatMap(([name, given]) => {
    const value = given?.trim() ?? "";
    const isNamed = known.has(name) || (SECRET_NAME.test(name) && !PLACE_NAME.test(name));
    return isNamed && value.length >= SHORTEST_SECRET ? [{ name, value }] : [];
  });
}

/**
 * Replaces the values of secrets in a text by `[secret NAME]`, also as they stand in a URL or inside a JSON string. One
 * search for all of them; a text without any is returned as it is.
 */
export function createRedactor(secrets: Iterable<Secret>): (text: string) => string {
  const names = new Map<string, string>();
  for (const { name, value } of secrets) {
    if (value.length < SHORTEST_SECRET) continue;
    for (const form of [value, encodeURIComponent(value.toWellFormed()), JSON.stringify(value).slice(1, -1)]) {
      if (!names.has(form)) names.set(form, name);
    }
  }
  if (names.size === 0) return (text) => text;
  // Where one secret begins with another, the longer one is meant.
  const forms = [...names.keys()].sort((a, b) => b.length - a.length);
  const any = new RegExp(forms.map(escaped).join("|"), "g");
  return (text) => (text.length < SHORTEST_SECRET ? text : text.replace(any, (form) => `[secret ${names.get(form)}]`));
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
