import type { Handlers, ServerMethods } from "@harness/protocol";
import { requireDirectory, SecretDecisions } from "@harness/workspace";
import { followChange } from "../follow-changes.ts";
import type { HandlerHost } from "../handler-host.ts";

type Names = "trust/get" | "trust/set" | "trust/grant";

export function trustHandlers(server: HandlerHost): Pick<Handlers<ServerMethods>, Names> {
  const { trust } = server.safety;
  const secrets = new SecretDecisions(trust, (cwd) => server.models.choice.secretAccess(cwd));
  /** Settings and providers may differ now, in every window. */
  const announce = (cwd: string) =>
    server.clients.broadcast("settings/changed", { version: server.settings.load(cwd).version });
  return {
    async "trust/get"({ cwd }) {
      await requireDirectory(cwd);
      return secrets.complete(cwd, await trust.view(cwd));
    },
    async "trust/set"({ cwd, hash, decision }, { afterReply }) {
      await requireDirectory(cwd);
      const view = await trust.decide(cwd, hash, decision);
      followChange(server);
      afterReply(() => announce(cwd));
      return secrets.complete(cwd, view);
    },
    async "trust/grant"(params, { afterReply }) {
      const { cwd } = params;
      await requireDirectory(cwd);
      await secrets.grant(params);
      followChange(server);
      afterReply(() => announce(cwd));
      return secrets.complete(cwd, await trust.view(cwd));
    },
  };
}
