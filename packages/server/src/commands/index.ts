import { agentsCommand } from "./agents.ts";
import { settingCommands } from "./brought-names/setting-commands.ts";
import { tellingCommands } from "./brought-names/telling-commands.ts";
import { bugCommand } from "./bug.ts";
import { diagnosticsCommand } from "./code/diagnostics.ts";
import { indexCommand } from "./code/index-command.ts";
import { searchCommand } from "./code/search.ts";
import { commandsCommand } from "./commands.ts";
import { hooksCommand } from "./hooks.ts";
import { mcpCommand } from "./mcp.ts";
import { auditCommand } from "./safety/audit.ts";
import { autoacceptCommand } from "./safety/autoaccept.ts";
import { commandCommand } from "./safety/command.ts";
import { egressCommand } from "./safety/egress.ts";
import { permissionsCommand } from "./safety/permissions.ts";
import type { CommandSource, ServerCommand } from "./server-command.ts";
import { compactCommand } from "./session/compact.ts";
import { contextCommand } from "./session/context.ts";
import { continueCommand } from "./session/continue.ts";
import { diffCommand } from "./session/diff.ts";
import { goalCommand } from "./session/goal.ts";
import { inspectCommand } from "./session/inspect.ts";
import { modeCommand, modeShortcuts } from "./session/mode.ts";
import { pendingCommand } from "./session/pending.ts";
import { recallCommand } from "./session/recall.ts";
import { redoCommand } from "./session/redo.ts";
import { retryCommand } from "./session/retry.ts";
import { reviewCommand } from "./session/review.ts";
import { rewindCommand } from "./session/rewind.ts";
import { skillCommand, skillsCommand, unloadCommand, useCommand } from "./session/skills.ts";
import { undoCommand } from "./session/undo.ts";
import { worktreeCommand } from "./session/worktree.ts";
import { addCommand } from "./texts/add.ts";
import { exportCommand } from "./texts/export.ts";
import { initCommand } from "./texts/init.ts";
import { dropallCommand, dropCommand, filesCommand } from "./texts/pinned.ts";
import { refreshCommand } from "./texts/refresh.ts";
import { toolsCommand } from "./tools.ts";

/** All commands by name, without the slash. */
export const serverCommands: Record<string, ServerCommand> = {
  agents: agentsCommand,
  compact: compactCommand,
  recall: recallCommand,
  continue: continueCommand,
  goal: goalCommand,
  context: contextCommand,
  inspect: inspectCommand,
  retry: retryCommand,
  undo: undoCommand,
  redo: redoCommand,
  rewind: rewindCommand,
  diff: diffCommand,
  pending: pendingCommand,
  worktree: worktreeCommand,
  skills: skillsCommand,
  skill: skillCommand,
  use: useCommand,
  unload: unloadCommand,
  mode: modeCommand,
  ...modeShortcuts,
  init: initCommand,
  export: exportCommand,
  refresh: refreshCommand,
  add: addCommand,
  drop: dropCommand,
  files: filesCommand,
  search: searchCommand,
  index: indexCommand,
  diagnostics: diagnosticsCommand,
  dropall: dropallCommand,
  mcp: mcpCommand,
  permissions: permissionsCommand,
  command: commandCommand,
  commands: commandsCommand,
  autoaccept: autoacceptCommand,
  audit: auditCommand,
  egress: egressCommand,
  hooks: hooksCommand,
  tools: toolsCommand,
  bug: bugCommand,
};

/** Commands that yield to those of the user and of projects: many have one with this name. */
export const replaceableCommands: Record<string, ServerCommand> = { review: reviewCommand };

/** Commands that nothing replaces. */
export const builtInCommands: CommandSource = sourceOf(serverCommands);
export const lastCommands: CommandSource = sourceOf(replaceableCommands);

/** Names known from other programs: they are in no list, and everything else with that name comes first. */
export const broughtNames: CommandSource = {
  list: () => [],
  find: sourceOf({ ...settingCommands, ...tellingCommands, ...aliased(serverCommands) }).find,
};

/** The commands by their aliases. */
function aliased(commands: Readonly<Record<string, ServerCommand>>): Record<string, ServerCommand> {
  const rows = Object.values(commands);
  return Object.fromEntries(rows.flatMap((row) => (row.aliases ?? []).map((alias) => [alias, row])));
}

function sourceOf(commands: Readonly<Record<string, ServerCommand>>): CommandSource {
  return {
    list: () =>
      Object.entries(commands).map(([name, { aliases, description, argumentHint, needsSession, startsTurn }]) => ({
        name,
        ...(aliases ? { aliases: [...aliases] } : {}),
        description,
        argumentHint,
        needsSession,
        ...(startsTurn ? { startsTurn } : {}),
      })),
    find: (name) => (Object.hasOwn(commands, name) ? commands[name] : undefined),
  };
}
