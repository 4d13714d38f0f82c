/** A command of the user; `share`: the model gets it and its result with the next message. */
export type OwnCommand = { readonly command: string; readonly share: boolean };

/** Usage, description. */
export const ownCommandDocs: readonly string[][] = [
  ["!COMMAND", "Run a shell command; the agent sees it and its output with your next message"],
  ["!!COMMAND", "The same, for you alone"],
];

/** `!npm test`, or `!!npm test` for the user alone. Undefined if the text is a message (`![picture](a.png)`). */
export function readShell(text: string): OwnCommand | undefined {
  const match = /^(!!?)\s*([^\s![][\s\S]*)$/.exec(text.trim());
  return match?.[2] ? { command: match[2], share: match[1] === "!" } : undefined;
}
