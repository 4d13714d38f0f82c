import { type commandMethods, type Handlers, protocolError } from "@harness/protocol";
import type { CommandCatalog } from "../commands/command-catalog.ts";
import type { ServerCommand, ServerCommandContext } from "../commands/server-command.ts";
import type { HandlerHost } from "../handler-host.ts";

export function commandHandlers(host: HandlerHost, commands: CommandCatalog): Handlers<typeof commandMethods> {
  return {
    "commands/list"({ sessionId, cwd, name }) {
      if (sessionId === undefined) return commands.list({ workspace: host.workspaces.at(cwd) }, name);
      return commands.list(host.sessions.live.need(sessionId), name);
    },
    async "command/run"({ sessionId, cwd, name, args, input = "" }, { afterReply, leaveLane, signal }) {
      if (sessionId !== undefined) {
        const entry = host.sessions.live.need(sessionId);
        const { session, workspace, log, subscribers } = entry;
        const command = await commands.need(name, entry);
        // Updates caused by a long command are sent while it runs.
        if (command.leavesLane) leaveLane();
        else if (!command.announcesFirst) afterReply(subscribers.hold());
        const listing = () => commands.list(entry);
        const { cwd: place } = log.header;
        const context = { session, workspace, cwd: place, host, signal, input, listing };
        return commandResult(await command.run(context, args.trim()));
      }
      const workspace = await host.workspaces.need(cwd);
      const command = await commands.need(name, { workspace });
      const listing = () => commands.list({ workspace });
      const place = cwd ?? host.identity.cwd;
      const context = { session: undefined, workspace, cwd: place, host, signal, input, listing };
      return commandResult(await runWithoutSession(name, command, context, args));
    },
  };
}

function commandResult(answer: Awaited<ReturnType<ServerCommand["run"]>>) {
  return typeof answer === "string" ? { text: answer } : answer;
}

function runWithoutSession(name: string, command: ServerCommand, context: ServerCommandContext, args: string) {
  if (!command.needsSession) return command.run(context, args.trim());
  const message = `/${name} needs a session, and none was named.`;
  throw protocolError("invalid_params", message, { issues: [{ path: "sessionId", message }] });
}
