/** A slash command as it was typed: `name` in lower case, without the slash. */
export type SlashLine = { readonly name: string; readonly args: string };

/**
 * Reads a message as a slash command; undefined for a message. `/usr/bin is …` is a message, and so is any text after a
 * leading space.
 */
export function readSlashLine(text: string): SlashLine | undefined {
  const [, name, args = ""] = /^\/(\p{L}[\p{L}\p{N}_:.-]*)(?:\s+([\s\S]*))?$/u.exec(text) ?? [];
  return name === undefined ? undefined : { name: name.toLowerCase(), args: args.trim() };
}

/** The command that goes by this name, its own or an alias. */
export function commandNamed<C extends { name: string; aliases?: readonly string[] | undefined }>(
  commands: readonly C[],
  name: string,
): C | undefined {
  return commands.find((each) => [each.name.toLowerCase(), ...(each.aliases ?? [])].includes(name));
}
