import { type Handlers, protocolError, type ServerMethods } from "@harness/protocol";
import { requireDirectory } from "@harness/workspace";
import type { CommandCatalog } from "../commands/command-catalog.ts";
import type { ServerCommand, ServerCommandContext } from "../commands/server-command.ts";
import type { HandlerHost } from "../handler-host.ts";

type Names = "commands/list" | "command/run";

export function commandHandlers(host: HandlerHost, commands: CommandCatalog): Pick<Handlers<ServerMethods>, Names> {
  return {
    "commands/list"({ sessionId, cwd, name }) {
      if (sessionId === undefined) return commands.list(cwd ?? host.identity.cwd, undefined, name);
      const { session, log } = host.sessions.live.need(sessionId);
      return commands.list(log.header.cwd, session, name);
    },
    async "command/run"({ sessionId, cwd, name, args, input = "" }, { afterReply, leaveLane, signal }) {
      if (sessionId !== undefined) {
        const { session, log, subscribers } = host.sessions.live.need(sessionId);
        const place = log.header.cwd;
        const command = await commands.need(name, place, session);
        // What a long one causes is reported while it goes on.
        if (command.leavesLane) leaveLane();
        else if (!command.announcesFirst) afterReply(subscribers.hold());
        const listing = () => commands.list(place, session);
        return shown(await command.run({ session, cwd: place, host, signal, input, listing }, args.trim()));
      }
      if (cwd !== undefined) await requireDirectory(cwd);
      const place = cwd ?? host.identity.cwd;
      const command = await commands.need(name, place);
      const listing = () => commands.list(place);
      const context = { session: undefined, cwd: place, host, signal, input, listing };
      return shown(await runWithoutSession(name, command, context, args));
    },
  };
}

function shown(answer: Awaited<ReturnType<ServerCommand["run"]>>) {
  return typeof answer === "string" ? { text: answer } : answer;
}

function runWithoutSession(name: string, command: ServerCommand, context: ServerCommandContext, args: string) {
  if (!command.needsSession) return command.run(context, args.trim());
  const message = `/${name} needs a session, and none was named.`;
  throw protocolError("invalid_params", message, { issues: [{ path: "sessionId", message }] });
}
