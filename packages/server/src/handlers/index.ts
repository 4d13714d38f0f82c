import type { Handlers, ServerMethods, ServerNotifications } from "@harness/protocol";
import type { Client } from "../clients/client.ts";
import type { CommandCatalog } from "../commands/command-catalog.ts";
import type { HandlerHost, ServerEnds } from "../handler-host.ts";
import { agentHandlers } from "./agents.ts";
import { auditHandlers } from "./audit.ts";
import { authHandlers } from "./auth.ts";
import { indexHandlers } from "./code/code-index.ts";
import { commandHandlers } from "./command.ts";
import { contextHandlers } from "./context.ts";
import { egressHandlers } from "./egress.ts";
import { mcpHandlers } from "./extensions/mcp.ts";
import { pluginHandlers } from "./extensions/plugins.ts";
import { extensionHandlers } from "./extensions.ts";
import { hookHandlers } from "./hooks.ts";
import { keysHandlers } from "./keys.ts";
import { lifecycleHandlers } from "./lifecycle.ts";
import { imageHandlers } from "./messages/images.ts";
import { promptHandlers } from "./messages/prompt.ts";
import { typedPromptHandlers } from "./messages/typed-prompts.ts";
import { modelHandlers } from "./models.ts";
import { permissionHandlers } from "./permission.ts";
import { permissionsHandlers } from "./permissions.ts";
import { processHandlers } from "./process.ts";
import { sessionHandlers } from "./session.ts";
import { archiveHandlers } from "./sessions/archive.ts";
import { checkHandlers } from "./sessions/check.ts";
import { exportHandlers } from "./sessions/export.ts";
import { importHandlers } from "./sessions/import.ts";
import { liveHandlers } from "./sessions/live.ts";
import { replayHandlers } from "./sessions/replay.ts";
import { sessionSearchHandlers } from "./sessions/search.ts";
import { settingsHandlers } from "./settings.ts";
import { trustHandlers } from "./trust.ts";
import { undoHandlers } from "./undo.ts";
import { workspaceHandlers } from "./workspace.ts";

/** The handlers for one client; a method of the table without a handler here does not compile. */
export function handlersFor(
  server: HandlerHost,
  { commands, ...ends }: ServerEnds & { commands: CommandCatalog },
  client: Client,
): Handlers<ServerMethods & ServerNotifications> {
  return {
    ...lifecycleHandlers(server, ends, client),
    ...sessionHandlers(server, client),
    ...archiveHandlers(server),
    ...checkHandlers(server),
    ...liveHandlers(server, client),
    ...replayHandlers(server),
    ...exportHandlers(server, client),
    ...importHandlers(server),
    ...sessionSearchHandlers(server),
    ...promptHandlers(server),
    ...imageHandlers(server),
    ...typedPromptHandlers(server),
    ...contextHandlers(server),
    ...agentHandlers(server),
    ...processHandlers(server),
    ...permissionHandlers(server, client),
    ...permissionsHandlers(server),
    ...auditHandlers(server),
    ...settingsHandlers(server),
    ...keysHandlers(server),
    ...modelHandlers(server, client),
    ...authHandlers(server, client),
    ...commandHandlers(server, commands),
    ...mcpHandlers(server, client),
    ...extensionHandlers(server),
    ...hookHandlers(server),
    ...pluginHandlers(server),
    ...egressHandlers(server),
    ...trustHandlers(server),
    ...undoHandlers(server),
    ...workspaceHandlers(server, client),
    ...indexHandlers(server),
    exit() {
      if (client.profile?.role !== "observer") ends.exit();
    },
  };
}
