import type { Handlers, ServerMethods } from "@harness/protocol";
import { followChange } from "../follow-changes.ts";
import type { HandlerHost } from "../handler-host.ts";
import { requireDirectory } from "../workspace/require-directory.ts";

export function trustHandlers(server: HandlerHost): Pick<Handlers<ServerMethods>, "trust/get" | "trust/set"> {
  const { trust } = server.safety;
  return {
    async "trust/get"({ cwd }) {
      await requireDirectory(cwd);
      return trust.view(cwd);
    },
    async "trust/set"({ cwd, hash, decision }, { afterReply }) {
      await requireDirectory(cwd);
      const view = await trust.decide(cwd, hash, decision);
      followChange(server);
      // Settings and providers may differ now, in every window.
      afterReply(() => server.clients.broadcast("settings/changed", { version: server.settings.load(cwd).version }));
      return view;
    },
  };
}
