import { isSecretVariable } from "./secret-variables.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Names that sound like a secret but contain the address of an agent or a file: their values reveal nothing. */
const PLACES: ReadonlySet<string> = new Set([
  "SSH_AUTH_SOCK",
  "GPG_AGENT_INFO",
  "XAUTHORITY",
  "AWS_SHARED_CREDENTIALS_FILE",
  "AWS_WEB_IDENTITY_TOKEN_FILE",
  "GOOGLE_APPLICATION_CREDENTIALS",
]);

/** `refused`: names of variables that look like secrets. `unmatched`: names and patterns that no variable matches. */
export type NamedVariables = { passed: Record<string, string>; refused: string[]; unmatched: string[] };

/** True if it contains the address of an agent or a file, which the user may pass to programs by name. */
export function isPlaceVariable(name: string, value: string): boolean {
  return PLACES.has(name) && value.startsWith("/");
}

/**
 * The variables that a setting names, separated by spaces and commas; `*` matches any characters. Secrets are never
 * among them. `places`: whether a name may pass an agent's address; a pattern never does.
 */
export function namedVariables(setting: string, env: Environment, { places }: { places: boolean }): NamedVariables {
  const named: NamedVariables = { passed: {}, refused: [], unmatched: [] };
  const set = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  for (const pattern of new Set(setting.split(/[\s,]+/).filter((each) => each !== ""))) {
    const matches = pattern.includes("*") ? patternOf(pattern) : (name: string) => name === pattern;
    const found = set.filter(([name]) => matches(name));
    if (found.length === 0) named.unmatched.push(pattern);
    for (const [name, value] of found) {
      const isLetIn = places && name === pattern && isPlaceVariable(name, value);
      if (isLetIn || !isSecretVariable(name, value)) named.passed[name] = value;
      else named.refused.push(name);
    }
  }
  return { ...named, refused: [...new Set(named.refused)] };
}

/** Linear in the length of the name. */
function patternOf(pattern: string): (name: string) => boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop() ?? "";
  return (name) => {
    if (!name.startsWith(first) || !name.endsWith(last)) return false;
    let at = first.length;
    for (const part of rest) {
      const found = name.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return name.length - last.length >= at;
  };
}
