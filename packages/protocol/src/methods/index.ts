import { agentMethods } from "./agents.ts";
import { auditMethods } from "./audit.ts";
import { authMethods, authNotifications } from "./auth.ts";
import { indexMethods, indexNotifications } from "./code/code-index.ts";
import { commandMethods } from "./command.ts";
import { contextMethods } from "./context.ts";
import { bufferRequests } from "./editor/buffers.ts";
import { egressMethods } from "./egress.ts";
import { elicitationRequests } from "./elicitation.ts";
import { hookMethods } from "./extensions/hooks.ts";
import { mcpMethods, mcpNotifications } from "./extensions/mcp.ts";
import { pluginMethods } from "./extensions/plugins.ts";
import { extensionMethods } from "./extensions/sources.ts";
import { keysMethods, keysNotifications } from "./keys.ts";
import { lagNotifications, lifecycleMethods, lifecycleNotifications } from "./lifecycle.ts";
import { imageMethods } from "./messages/images.ts";
import { promptMethods } from "./messages/prompt.ts";
import { typedPromptMethods } from "./messages/typed-prompts.ts";
import { modelMethods, modelNotifications } from "./models.ts";
import { permissionMethods, permissionRequests } from "./permission.ts";
import { permissionsMethods } from "./permissions.ts";
import { processMethods } from "./process.ts";
import { sessionMethods, sessionNotifications } from "./session.ts";
import { archiveMethods } from "./sessions/archive.ts";
import { checkMethods } from "./sessions/check.ts";
import { exportMethods } from "./sessions/export.ts";
import { forkMethods } from "./sessions/fork.ts";
import { importMethods } from "./sessions/import.ts";
import { liveMethods } from "./sessions/live.ts";
import { replayMethods } from "./sessions/replay.ts";
import { sessionSearchMethods } from "./sessions/search.ts";
import { settingsMethods, settingsNotifications } from "./settings.ts";
import { trustMethods } from "./trust.ts";
import { undoMethods } from "./undo.ts";
import { workspaceMethods, workspaceNotifications } from "./workspace.ts";

/** Requests of a client to the server. */
export const serverMethods = {
  ...lifecycleMethods,
  ...sessionMethods,
  ...archiveMethods,
  ...liveMethods,
  ...checkMethods,
  ...replayMethods,
  ...forkMethods,
  ...exportMethods,
  ...importMethods,
  ...sessionSearchMethods,
  ...promptMethods,
  ...typedPromptMethods,
  ...imageMethods,
  ...contextMethods,
  ...agentMethods,
  ...processMethods,
  ...permissionMethods,
  ...permissionsMethods,
  ...auditMethods,
  ...undoMethods,
  ...trustMethods,
  ...egressMethods,
  ...settingsMethods,
  ...keysMethods,
  ...modelMethods,
  ...authMethods,
  ...commandMethods,
  ...extensionMethods,
  ...hookMethods,
  ...mcpMethods,
  ...pluginMethods,
  ...workspaceMethods,
  ...indexMethods,
};

/** Notifications of a client to the server. */
export const serverNotifications = { ...lifecycleNotifications };

/** Requests of the server to a client. */
export const clientMethods = { ...permissionRequests, ...elicitationRequests, ...bufferRequests };

/** Notifications of the server to its clients. */
export const clientNotifications = {
  ...sessionNotifications,
  ...lagNotifications,
  ...workspaceNotifications,
  ...indexNotifications,
  ...settingsNotifications,
  ...keysNotifications,
  ...modelNotifications,
  ...authNotifications,
  ...mcpNotifications,
};

export type ServerMethods = typeof serverMethods;
export type ServerNotifications = typeof serverNotifications;
export type ClientMethods = typeof clientMethods;
export type ClientNotifications = typeof clientNotifications;

/** The rows by noun, one group of handlers each. */
export type {
  agentMethods,
  archiveMethods,
  auditMethods,
  authMethods,
  checkMethods,
  commandMethods,
  contextMethods,
  egressMethods,
  exportMethods,
  extensionMethods,
  forkMethods,
  hookMethods,
  imageMethods,
  importMethods,
  indexMethods,
  keysMethods,
  lifecycleMethods,
  liveMethods,
  mcpMethods,
  modelMethods,
  permissionMethods,
  permissionsMethods,
  pluginMethods,
  processMethods,
  promptMethods,
  replayMethods,
  sessionMethods,
  sessionSearchMethods,
  settingsMethods,
  trustMethods,
  typedPromptMethods,
  undoMethods,
  workspaceMethods,
};
