import type { SlashCommandFile } from "@harness/workspace";
import type { CommandSource, ListedCommand, ServerCommand } from "../server-command.ts";
import { sendCommand } from "./send-command.ts";

/** `/user:review` is the user's own command, even if a project's replaces it; `/prompts:review` is Codex's form. */
const QUALIFIED = /^(user|project|prompts):(.+)$/;

/** Slash commands written as Markdown files. */
export const markdownCommands: CommandSource = {
  list: ({ workspace }) => workspace.brought.commands.written.used.map(viewOf),
  find(name, { workspace }) {
    const { used, all } = workspace.brought.commands.written;
    const named = (found: readonly SlashCommandFile[], wanted: string) =>
      found.findLast((each) => each.name.toLowerCase() === wanted);
    const [, where, rest = ""] = QUALIFIED.exec(name) ?? [];
    const found =
      named(used, name) ??
      named(
        all.filter((each) => isFrom(each, where)),
        rest,
      );
    return found && commandOf(found);
  },
  unused: ({ workspace }) =>
    workspace.brought.commands.written.unused.map(({ name, path, problem }) => ({ name, from: path, problem })),
};

function isFrom({ source }: SlashCommandFile, where: string | undefined): boolean {
  if (where === "prompts") return source.layout === "codex";
  return source.owner === (where === "user" ? "person" : where);
}

function viewOf({ name, command, path, source, shadows }: SlashCommandFile): ListedCommand {
  return {
    name,
    description: command.description,
    ...(command.argumentHint === undefined ? {} : { argumentHint: command.argumentHint }),
    needsSession: true,
    startsTurn: true,
    origin: { kind: "markdown", owner: source.owner, from: path },
    ...(shadows.length > 0 ? { shadows: [...shadows] } : {}),
  };
}

function commandOf({ name, command, notes, path, source }: SlashCommandFile): ServerCommand {
  return {
    description: command.description,
    needsSession: true,
    startsTurn: true,
    run(context, args) {
      for (const note of notes) context.session.warn(`/${name}: ${note}.`, path);
      return sendCommand(context, { name, path, owner: source.owner, ...command }, { args });
    },
  };
}
