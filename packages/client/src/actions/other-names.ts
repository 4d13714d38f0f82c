/** How a front does what other agents have a command for: keys and logins, and new lines in a message. */
export type FrontWords = { readonly logins: string; readonly newLine: string };

/** Of plain lines, which have neither screens nor keys. */
export const lineWays: FrontWords = {
  logins:
    "In a shell: harness auth set PROVIDER saves a key, harness auth login PROVIDER logs in, harness auth rm PROVIDER removes either.",
  newLine: "\\ and Enter begin a new line; no set-up is needed.",
};

const MEMORY =
  "harness has no memory of its own. It reads AGENTS.md, CLAUDE.md and the like: /init writes one, /context shows their size, /refresh reads them again.";

/** Advice for commands that other agents have. */
const instead: Readonly<Record<string, (ways: FrontWords) => string>> = {
  login: ({ logins }) => logins,
  logout: ({ logins }) => logins,
  apikey: ({ logins }) => logins,
  memory: () => MEMORY,
  "terminal-setup": ({ newLine }) => newLine,
};

/** A sentence on what does the work of a command that other agents have. */
export function insteadOf(name: string, ways: FrontWords): string | undefined {
  return Object.hasOwn(instead, name) ? instead[name]?.(ways) : undefined;
}
