/** How a front words things that it does in its own way. */
export type FrontWords = {
  /** Keys and logins. */
  readonly logins: string;
  /** New lines in a message. */
  readonly newLine: string;
  /** Follows "/image PATH adds one": how to add the clipboard's image. */
  readonly pasteImage: string;
  /** Follows "No subagent is running.": how to stop the turn. */
  readonly stopTurn: string;
  themed(name: string): string;
};

/** For plain lines, which have neither screens nor keys. */
export const lineWays: FrontWords = {
  logins:
    "In a shell: harness auth set PROVIDER saves a key, harness auth login PROVIDER logs in, harness auth rm PROVIDER removes either.",
  newLine: "\\ and Enter begin a new line; no set-up is needed.",
  pasteImage: ", /image clipboard that of the clipboard",
  stopTurn: " /stop alone stops the turn.",
  themed: (name) => `The theme of the window is now ${name}; plain lines have no colours.`,
};

const MEMORY =
  "harness has no memory of its own. It reads AGENTS.md, CLAUDE.md and the like: /init writes one, /context shows their size, /refresh reads them again.";

/** Advice for commands of other agents. */
const instead: Readonly<Record<string, (words: FrontWords) => string>> = {
  login: ({ logins }) => logins,
  logout: ({ logins }) => logins,
  apikey: ({ logins }) => logins,
  memory: () => MEMORY,
  "terminal-setup": ({ newLine }) => newLine,
};

/** A sentence about what replaces another agent's command. */
export function insteadOf(name: string): ((words: FrontWords) => string) | undefined {
  return Object.hasOwn(instead, name) ? instead[name] : undefined;
}
