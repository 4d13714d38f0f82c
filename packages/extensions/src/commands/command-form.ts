import type { DefinitionForm, Origin } from "../sources/definitions.ts";
import { type CommandReading, readMarkdownCommand } from "./read-command.ts";

export type ReadCommand = Extract<CommandReading, { command: unknown }>;
/** A slash command with its file. */
export type SlashCommandFile = ReadCommand & Origin;

/** A name that can be typed after a slash. */
export const TYPED_NAME = /^\p{L}[\p{L}\p{N}_:.-]*$/u;

/** Slash commands written as Markdown files. */
export const commandForm: DefinitionForm<ReadCommand> = {
  kind: "command",
  accepts: ({ path }) => /\.md$/i.test(path),
  read: (text, { name }) =>
    TYPED_NAME.test(name) ? readMarkdownCommand(text) : { problem: "its name cannot be typed as a command" },
  nameOf: (_, { name }) => name,
};
