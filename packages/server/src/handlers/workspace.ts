import { type Handlers, protocolError, type ServerMethods } from "@harness/protocol";
import { createFileSearch, requireDirectory } from "@harness/workspace";
import type { HandlerHost } from "../handler-host.ts";

type Names = "hud/get" | "workspace/overview" | "files/search";

export function workspaceHandlers(server: HandlerHost): Pick<Handlers<ServerMethods>, Names> {
  const searchFiles = createFileSearch(() => performance.now());
  return {
    async "hud/get"(params) {
      if ("cwd" in params) {
        const { cwd, config } = params;
        return server.sessions.hud.preview(cwd, server.settings.load(cwd).values, config);
      }
      const hud = await server.sessions.hud.read(params.sessionId);
      if (hud) return hud;
      throw protocolError("not_found", `Session ${params.sessionId} is not open.`, {
        what: "session",
        id: params.sessionId,
      });
    },
    async "workspace/overview"({ cwd, since }) {
      await requireDirectory(cwd);
      return server.sessions.overview(cwd, since);
    },
    async "files/search"({ cwd, query, limit }) {
      await requireDirectory(cwd);
      return { paths: await searchFiles(cwd, query, limit) };
    },
  };
}
