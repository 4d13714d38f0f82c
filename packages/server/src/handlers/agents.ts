import type { Handlers, ServerMethods } from "@harness/protocol";
import { requireDirectory } from "@harness/workspace";
import type { HandlerHost } from "../handler-host.ts";

type Names = "agents/list" | "agents/worktree" | "agents/definitions" | "agents/save" | "agents/remove";

export function agentHandlers({ identity, sessions }: HandlerHost): Pick<Handlers<ServerMethods>, Names> {
  const { agents } = sessions;
  return {
    "agents/list": ({ sessionId }) => ({ agents: sessions.live.need(sessionId).session.agents() }),
    async "agents/worktree"({ sessionId, agentId, action }, { afterReply }) {
      const { session, subscribers, hide } = sessions.live.need(sessionId);
      afterReply(subscribers.hold());
      const { done, text } = await session.worktree(agentId, action);
      return { done, text: hide(text) };
    },
    async "agents/definitions"({ cwd = identity.cwd }) {
      await requireDirectory(cwd);
      return agents.list(cwd);
    },
    async "agents/save"({ cwd = identity.cwd, ...order }) {
      await requireDirectory(cwd);
      return agents.save(cwd, order);
    },
    async "agents/remove"({ cwd = identity.cwd, name, owner }) {
      await requireDirectory(cwd);
      return { removed: agents.remove(cwd, name, owner) };
    },
  };
}
