import type { Handlers, settingsMethods } from "@harness/protocol";
import { applySettings, notSaved } from "../follow-changes.ts";
import type { HandlerHost } from "../handler-host.ts";

export function settingsHandlers(server: HandlerHost): Handlers<typeof settingsMethods> {
  return {
    "settings/get": ({ cwd }) => {
      const { views, path, version, problems } = server.workspaces.at(cwd).settings.load();
      return { settings: views, path, version, problems };
    },
    "settings/set": ({ edits, expectedVersion }, { afterReply }) => {
      const saved = applySettings(server, edits, expectedVersion);
      if ("problem" in saved) throw notSaved(saved);
      afterReply(() => server.clients.broadcast("settings/changed", { version: saved.version }));
      const { brokenCopy } = saved;
      const problems = brokenCopy ? [`The previous file could not be read; it was renamed to ${brokenCopy}.`] : [];
      return { version: saved.version, settings: server.workspaces.own.settings.load().views, problems };
    },
  };
}
