import type { Handlers, hookMethods } from "@harness/protocol";
import { whyLines } from "@harness/workspace";
import type { HandlerHost } from "../handler-host.ts";

export function hookHandlers({ workspaces }: HandlerHost): Handlers<typeof hookMethods> {
  return {
    async "hooks/list"({ cwd }) {
      return { hooks: (await workspaces.need(cwd)).brought.hooks.list() };
    },
    async "hooks/why"({ event, cwd }) {
      const why = (await workspaces.need(cwd)).brought.hooks.why(event);
      return { ...why, lines: whyLines(why.event, why.hooks) };
    },
  };
}
