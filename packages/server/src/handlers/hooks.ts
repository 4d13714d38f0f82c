import type { Handlers, ServerMethods } from "@harness/protocol";
import { requireDirectory, whyLines } from "@harness/workspace";
import type { HandlerHost } from "../handler-host.ts";

export function hookHandlers({
  identity,
  extensions,
}: HandlerHost): Pick<Handlers<ServerMethods>, "hooks/list" | "hooks/why"> {
  const { hooks } = extensions;
  return {
    async "hooks/list"({ cwd = identity.cwd }) {
      await requireDirectory(cwd);
      return { hooks: hooks.list(cwd) };
    },
    async "hooks/why"({ event, cwd = identity.cwd }) {
      await requireDirectory(cwd);
      const why = hooks.why(cwd, event);
      return { ...why, lines: whyLines(why.event, why.hooks) };
    },
  };
}
