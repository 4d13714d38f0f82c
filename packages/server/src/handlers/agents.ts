import type { agentMethods, Handlers } from "@harness/protocol";
import type { HandlerHost } from "../handler-host.ts";

export function agentHandlers({ workspaces, sessions }: HandlerHost): Handlers<typeof agentMethods> {
  return {
    "agents/list": ({ sessionId }) => ({ agents: sessions.live.need(sessionId).session.agents() }),
    async "agents/worktree"({ sessionId, agentId, action }, { afterReply }) {
      const { session, subscribers, hide } = sessions.live.need(sessionId);
      afterReply(subscribers.hold());
      const { done, text } = await session.worktree(agentId, action);
      return { done, text: hide(text) };
    },
    async "agents/definitions"({ cwd }) {
      return (await workspaces.need(cwd)).brought.agents.list();
    },
    async "agents/save"({ cwd, ...order }) {
      return (await workspaces.need(cwd)).brought.agents.save(order);
    },
    async "agents/remove"({ cwd, name, owner }) {
      return { removed: (await workspaces.need(cwd)).brought.agents.remove(name, owner) };
    },
  };
}
