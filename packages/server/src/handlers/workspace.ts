import { type Handlers, protocolError, type workspaceMethods } from "@harness/protocol";
import type { Client } from "../clients/client.ts";
import type { HandlerHost } from "../handler-host.ts";

export function workspaceHandlers(server: HandlerHost, client: Client): Handlers<typeof workspaceMethods> {
  return {
    async "hud/get"(params) {
      if ("cwd" in params) {
        const workspace = server.workspaces.at(params.cwd);
        if (params.follow) server.sessions.hud.followFolder(client, workspace);
        return server.sessions.hud.preview(workspace, params.config);
      }
      server.sessions.hud.followFolder(client, undefined);
      const hud = await server.sessions.hud.read(params.sessionId);
      if (hud) return hud;
      throw protocolError("not_found", `Session ${params.sessionId} is not open.`, {
        what: "session",
        id: params.sessionId,
      });
    },
    async "workspace/overview"({ cwd, since }) {
      return (await server.workspaces.need(cwd)).texts.overview(since);
    },
    async "workspace/worktree"({ cwd, name }) {
      const found = await (await server.workspaces.need(cwd)).files.namedWorktree(name);
      if ("problem" in found) throw protocolError("conflict", found.problem, {});
      return found;
    },
    async "files/search"({ cwd, query, limit }) {
      return { paths: await (await server.workspaces.need(cwd)).files.search(query, limit) };
    },
  };
}
