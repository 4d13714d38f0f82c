import { insteadOf } from "@harness/client/actions";
import { errorText } from "../client/server-errors.ts";
import type { CommandList } from "../composer/known-command.ts";
import type { GivenCommand } from "../composer/read-command.ts";
import type { KeyNames } from "../keymap/key-names.ts";
import { closestNames } from "../text/closest-names.ts";
import type { CommandContext } from "./command-row.ts";
import { windowCommand } from "./index.ts";
import { windowWays } from "./window-ways.ts";

/** Runs the window's commands here and the server's there; never rejects. */
export function commandRunner(
  context: CommandContext,
  commands: CommandList,
): (command: GivenCommand) => Promise<void> {
  const named = () => commands.all().flatMap(({ names }) => names.map((each) => each.toLowerCase()));
  const known = (name: string) => commands.all().find(({ names }) => names.some((each) => each.toLowerCase() === name));
  return async ({ name, args }) => {
    try {
      const row = windowCommand(name);
      if (row) return await row.run(context, args);
      // It may have come since the list was made, or be a longer name that lists do not have.
      const problem = known(name) ? undefined : await commands.refresh(name);
      const [own] = known(name)?.names ?? [];
      if (own !== undefined) return await context.controllers.runOnServer(own.toLowerCase(), args);
      const instead = (keys: KeyNames) => insteadOf(name, windowWays(keys));
      if (instead(context.store.get().keymap.names) !== undefined)
        return context.store.note("info", (keys) => instead(keys) ?? "");
      if (problem !== undefined) return context.store.note("warning", `/${name} cannot be run. ${problem}`);
      const close = closestNames(name, named()).map((each) => `/${each}`);
      const hint = close.length > 0 ? `Did you mean ${close.join(" or ")}?` : "/help lists the commands.";
      context.store.note("warning", `There is no command /${name}. ${hint}`);
    } catch (error) {
      const text = errorText(error);
      // A message about a command begins with the command's name.
      context.store.note("error", text.startsWith(`/${name} `) ? text : `/${name}: ${text}`);
    }
  };
}
