import type { Handlers, ServerMethods } from "@harness/protocol";
import type { HandlerHost } from "../handler-host.ts";
import { requireDirectory } from "../workspace/require-directory.ts";

export function trustHandlers(server: HandlerHost): Pick<Handlers<ServerMethods>, "trust/get" | "trust/set"> {
  const { trust, models, settings, sessions } = server;
  return {
    async "trust/get"({ cwd }) {
      await requireDirectory(cwd);
      return trust.view(cwd);
    },
    async "trust/set"({ cwd, hash, decision }, { afterReply }) {
      await requireDirectory(cwd);
      const view = await trust.decide(cwd, hash, decision);
      models.forget();
      sessions.judgeAnew();
      // What settings and providers there are may be another now, in every window.
      afterReply(() => server.broadcast("settings/changed", { version: settings.load(cwd).version }));
      return view;
    },
  };
}
