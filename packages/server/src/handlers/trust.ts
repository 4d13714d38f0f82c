import type { Handlers, trustMethods } from "@harness/protocol";
import { SecretDecisions, type Workspace } from "@harness/workspace";
import { followChange } from "../follow-changes.ts";
import type { HandlerHost } from "../handler-host.ts";

export function trustHandlers(server: HandlerHost): Handlers<typeof trustMethods> {
  const secretsOf = (workspace: Workspace) =>
    new SecretDecisions(workspace.safety.trust, () => server.models.choice.secretAccess(workspace));
  /** Settings and providers may have changed in every window. */
  const announce = ({ settings }: Workspace) =>
    server.clients.broadcast("settings/changed", { version: settings.load().version });
  return {
    async "trust/get"({ cwd }) {
      const workspace = await server.workspaces.need(cwd);
      return secretsOf(workspace).complete(await workspace.safety.trust.view());
    },
    async "trust/set"({ cwd, hash, decision }, { afterReply }) {
      const workspace = await server.workspaces.need(cwd);
      const view = await workspace.safety.trust.decide(hash, decision);
      followChange(server);
      afterReply(() => announce(workspace));
      return secretsOf(workspace).complete(view);
    },
    async "trust/grant"({ cwd, ...grant }, { afterReply }) {
      const workspace = await server.workspaces.need(cwd);
      const secrets = secretsOf(workspace);
      await secrets.grant(grant);
      followChange(server);
      afterReply(() => announce(workspace));
      return secrets.complete(await workspace.safety.trust.view());
    },
  };
}
