import type { Handlers, pluginMethods } from "@harness/protocol";
import { createPlugin, tryPlugin } from "@harness/workspace";
import { listTools } from "../../commands/list-tools.ts";
import type { HandlerHost } from "../../handler-host.ts";

export function pluginHandlers({ workspaces, person, models }: HandlerHost): Handlers<typeof pluginMethods> {
  return {
    "tools/list": async ({ cwd }) => listTools(await workspaces.need(cwd)),
    "plugin/new": async ({ cwd, ...order }) => createPlugin(await workspaces.need(cwd), order, person.folder),
    "plugin/test": async ({ cwd, ...asked }, { signal }) =>
      tryPlugin(await workspaces.need(cwd), asked, { models: models.choice, signal }),
  };
}
