import { errorText } from "../client/server-errors.ts";
import type { GivenCommand } from "../composer/read-command.ts";
import { closestNames } from "../text/closest-names.ts";
import { knownCommands } from "./command-list.ts";
import type { CommandContext } from "./command-row.ts";
import { windowCommand } from "./index.ts";

/** Runs the window's commands here and the server's there; never rejects. */
export function commandRunner(context: CommandContext): (command: GivenCommand) => Promise<void> {
  return async ({ name, args }) => {
    try {
      const row = windowCommand(name);
      if (row) return await row.run(context, args);
      const names = knownCommands(context.store.get()).flatMap((each) => each.names);
      if (names.includes(name)) return await context.controllers.runOnServer(name, args);
      const close = closestNames(name, names).map((each) => `/${each}`);
      const hint = close.length > 0 ? `Did you mean ${close.join(" or ")}?` : "/help shows what there is.";
      context.store.note("warning", `There is no command /${name}. ${hint}`);
    } catch (error) {
      context.store.note("error", `/${name}: ${errorText(error)}`);
    }
  };
}
