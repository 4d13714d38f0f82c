import { agentsCommand } from "./agents.ts";
import { auditCommand } from "./audit.ts";
import { autoacceptCommand } from "./autoaccept.ts";
import { commandCommand } from "./command.ts";
import { compactCommand } from "./compact.ts";
import { contextCommand } from "./context.ts";
import { continueCommand } from "./continue.ts";
import { diffCommand } from "./diff.ts";
import { egressCommand } from "./egress.ts";
import { modeCommand, modeShortcuts } from "./mode.ts";
import { permissionsCommand } from "./permissions.ts";
import { recallCommand } from "./recall.ts";
import { redoCommand } from "./redo.ts";
import { rewindCommand } from "./rewind.ts";
import type { ServerCommand } from "./server-command.ts";
import { undoCommand } from "./undo.ts";
import { worktreeCommand } from "./worktree.ts";

/** All commands by name, without the slash. */
export const serverCommands: Record<string, ServerCommand> = {
  agents: agentsCommand,
  compact: compactCommand,
  recall: recallCommand,
  continue: continueCommand,
  context: contextCommand,
  undo: undoCommand,
  redo: redoCommand,
  rewind: rewindCommand,
  diff: diffCommand,
  worktree: worktreeCommand,
  mode: modeCommand,
  ...modeShortcuts,
  permissions: permissionsCommand,
  command: commandCommand,
  autoaccept: autoacceptCommand,
  audit: auditCommand,
  egress: egressCommand,
};
