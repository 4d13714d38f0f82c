import * as z from "zod";
import { SessionUpdate } from "../vocabulary/updates.ts";
import { auditMethods } from "./audit.ts";
import { authMethods, authNotifications } from "./auth.ts";
import { commandMethods } from "./command.ts";
import { egressMethods } from "./egress.ts";
import { lifecycleMethods, lifecycleNotifications } from "./lifecycle.ts";
import { modelMethods, modelNotifications } from "./models.ts";
import { callbackMethods, permissionMethods } from "./permission.ts";
import { permissionsMethods } from "./permissions.ts";
import { promptMethods } from "./prompt.ts";
import { sessionMethods } from "./session.ts";
import { settingsMethods, settingsNotifications } from "./settings.ts";
import { notification } from "./table.ts";
import { trustMethods } from "./trust.ts";
import { undoMethods } from "./undo.ts";
import { workspaceMethods, workspaceNotifications } from "./workspace.ts";

/** Requests of a client to the server. */
export const serverMethods = {
  ...lifecycleMethods,
  ...sessionMethods,
  ...promptMethods,
  ...permissionMethods,
  ...permissionsMethods,
  ...auditMethods,
  ...undoMethods,
  ...trustMethods,
  ...egressMethods,
  ...settingsMethods,
  ...modelMethods,
  ...authMethods,
  ...commandMethods,
  ...workspaceMethods,
};

/** Notifications of a client to the server. */
export const serverNotifications = { ...lifecycleNotifications };

/** Requests of the server to a client. */
export const clientMethods = { ...callbackMethods };

/** Notifications of the server to its clients. */
export const clientNotifications = {
  "session/update": notification({
    doc: "A fact or a delta of a session this client is subscribed to.",
    params: SessionUpdate,
  }),
  "server/lagged": notification({
    doc: "This client reads too slowly: chunks were dropped, but no facts. Resume after `seq` to get the text that is streaming now.",
    params: z.object({ droppedChunks: z.number() }),
  }),
  ...workspaceNotifications,
  ...settingsNotifications,
  ...modelNotifications,
  ...authNotifications,
};

export type ServerMethods = typeof serverMethods;
export type ServerNotifications = typeof serverNotifications;
export type ClientMethods = typeof clientMethods;
export type ClientNotifications = typeof clientNotifications;
