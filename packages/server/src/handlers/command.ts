import { type Handlers, protocolError, type ServerMethods } from "@harness/protocol";
import { serverCommands } from "../commands/index.ts";
import type { HandlerHost } from "../handler-host.ts";

type Names = "commands/list" | "command/run";

export function commandHandlers(host: HandlerHost): Pick<Handlers<ServerMethods>, Names> {
  return {
    "commands/list": () => ({
      commands: Object.entries(serverCommands).map(([name, { description, argumentHint }]) => ({
        name,
        description,
        argumentHint,
      })),
    }),
    async "command/run"({ sessionId, name, args }) {
      const command = Object.hasOwn(serverCommands, name) ? serverCommands[name] : undefined;
      if (!command)
        throw protocolError(
          "not_found",
          `There is no command /${name}. The server has: ${Object.keys(serverCommands)
            .map((each) => `/${each}`)
            .join(", ")}.`,
          { what: "command", id: name },
        );
      const { session, log } = host.sessions.need(sessionId);
      return { text: await command.run({ session, cwd: log.header.cwd, host }, args.trim()) };
    },
  };
}
