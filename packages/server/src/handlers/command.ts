import { type Handlers, protocolError, type ServerMethods } from "@harness/protocol";
import { serverCommands } from "../commands/index.ts";
import type { CommandContext, ServerCommand } from "../commands/server-command.ts";
import type { HandlerHost } from "../handler-host.ts";
import { requireDirectory } from "../workspace/require-directory.ts";

type Names = "commands/list" | "command/run";

export function commandHandlers(host: HandlerHost): Pick<Handlers<ServerMethods>, Names> {
  return {
    "commands/list": () => ({
      commands: Object.entries(serverCommands).map(([name, { description, argumentHint, needsSession }]) => ({
        name,
        description,
        argumentHint,
        needsSession,
      })),
    }),
    async "command/run"({ sessionId, cwd, name, args }, { afterReply, leaveLane, signal }) {
      const command = commandNamed(name);
      if (sessionId !== undefined) {
        const { session, log, subscribers } = host.sessions.live.need(sessionId);
        // What a long one causes is reported while it goes on.
        if (command.leavesLane) leaveLane();
        else afterReply(subscribers.hold());
        return shown(await command.run({ session, cwd: log.header.cwd, host, signal }, args.trim()));
      }
      if (cwd !== undefined) await requireDirectory(cwd);
      const context = { session: undefined, cwd: cwd ?? host.identity.cwd, host, signal };
      return shown(await runWithoutSession(name, command, context, args));
    },
  };
}

function shown(answer: Awaited<ReturnType<ServerCommand["run"]>>) {
  return typeof answer === "string" ? { text: answer } : answer;
}

function commandNamed(name: string): ServerCommand {
  const command = Object.hasOwn(serverCommands, name) ? serverCommands[name] : undefined;
  if (command) return command;
  const known = Object.keys(serverCommands).map((each) => `/${each}`);
  throw protocolError("not_found", `There is no command /${name}. The server has: ${known.join(", ")}.`, {
    what: "command",
    id: name,
  });
}

function runWithoutSession(name: string, command: ServerCommand, context: CommandContext, args: string) {
  if (!command.needsSession) return command.run(context, args.trim());
  const message = `/${name} works on a session, and none was named.`;
  throw protocolError("invalid_params", message, { issues: [{ path: "sessionId", message }] });
}
