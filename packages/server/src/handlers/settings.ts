import type { Handlers, settingsMethods } from "@harness/protocol";
import { protocolError } from "@harness/protocol";
import { applySettings } from "../follow-changes.ts";
import type { HandlerHost } from "../handler-host.ts";

export function settingsHandlers(server: HandlerHost): Handlers<typeof settingsMethods> {
  return {
    "settings/get": ({ cwd }) => {
      const { views, path, version, problems } = server.workspaces.at(cwd).settings.load();
      return { settings: views, path, version, problems };
    },
    "settings/set": ({ edits, expectedVersion }, { afterReply }) => {
      const saved = applySettings(server, edits, expectedVersion);
      if ("problem" in saved) {
        if (saved.kind === "failed") throw protocolError("storage_failed", saved.problem);
        if (saved.kind === "conflict") throw protocolError("conflict", saved.problem, {});
        // The lock is temporary.
        if (saved.kind === "held") throw protocolError("conflict", saved.problem, { retryable: true });
        throw protocolError("invalid_params", saved.problem, { issues: [{ path: "edits", message: saved.problem }] });
      }
      afterReply(() => server.clients.broadcast("settings/changed", { version: saved.version }));
      const { brokenCopy } = saved;
      const problems = brokenCopy ? [`The previous file could not be read; it was renamed to ${brokenCopy}.`] : [];
      return { version: saved.version, settings: server.workspaces.own.settings.load().views, problems };
    },
  };
}
