import type { exportMethods, Handlers } from "@harness/protocol";
import { exportToFile, exportToText } from "@harness/workspace";
import type { Client } from "../../clients/client.ts";
import { LargeAnswers } from "../../clients/large-answers.ts";
import type { HandlerHost } from "../../handler-host.ts";

export function exportHandlers(server: HandlerHost, client: Client): Handlers<typeof exportMethods> {
  const { sessions, workspaces, identity } = server;
  const large = new LargeAnswers(client);
  return {
    async "session/export"({ sessionId, path, replace, ...wanted }, { afterReply }) {
      const reading = await sessions.catalog.reader.pages(sessionId);
      // It may no longer exist; the secrets of the user are known all the same.
      const workspace = workspaces.at(reading.header.cwd);
      const request = { ...reading, ...wanted, workspace, version: identity.version };
      if (path !== undefined) return await exportToFile(request, { path, replace });
      return await large.make(afterReply, async () => exportToText(request));
    },
  };
}
