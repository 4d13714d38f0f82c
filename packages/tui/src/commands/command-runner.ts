import { errorText } from "@harness/client";
import { insteadOf, runFrontCommand, type SlashLine } from "@harness/client/commands";
import type { CommandList } from "../composer/known-command.ts";
import { closestNames } from "../text/closest-names.ts";
import type { WindowFront } from "./window-front.ts";

/** Runs the window's commands here and the server's there; never rejects. */
export function commandRunner(front: WindowFront, commands: CommandList): (command: SlashLine) => Promise<void> {
  const named = () => commands.all().flatMap(({ names }) => names.map((each) => each.toLowerCase()));
  const known = (name: string) => commands.all().find(({ names }) => names.some((each) => each.toLowerCase() === name));
  return async ({ name, args }) => {
    try {
      if (await runFrontCommand(front, { name, args })) return;
      // It may be newer than the list, or be a longer name that lists do not have.
      const problem = known(name) ? undefined : await commands.refresh(name);
      const [own] = known(name)?.names ?? [];
      if (own !== undefined) return await front.runOnServer(own.toLowerCase(), args);
      const instead = insteadOf(name);
      if (instead !== undefined) return front.say(instead);
      if (problem !== undefined) return front.say(`/${name} cannot be run. ${problem}`, "warning");
      const close = closestNames(name, named()).map((each) => `/${each}`);
      const hint = close.length > 0 ? `Did you mean ${close.join(" or ")}?` : "/help lists the commands.";
      front.say(`There is no command /${name}. ${hint}`, "warning");
    } catch (error) {
      const text = errorText(error);
      // A message about a command begins with the command's name.
      front.say(text.startsWith(`/${name} `) ? text : `/${name}: ${text}`, "error");
    }
  };
}
