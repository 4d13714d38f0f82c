import { type Handlers, protocolError, type ServerMethods } from "@harness/protocol";
import { serverCommands } from "../commands/index.ts";
import type { HandlerHost } from "../handler-host.ts";

type Names = "commands/list" | "command/run";

export function commandHandlers({ sessions }: HandlerHost): Pick<Handlers<ServerMethods>, Names> {
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
      return { text: await command.run(sessions.need(sessionId).session, args.trim()) };
    },
  };
}
