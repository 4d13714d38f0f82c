import { wordsOf } from "../client/harness-client.ts";
import type { CommandContext } from "../commands/command-row.ts";
import { windowCommand } from "../commands/index.ts";
import { knownCommands } from "../commands/known-commands.ts";
import { closestNames } from "../text/closest-names.ts";

/** A slash command as typed; undefined when the text is a message (`/usr/bin is …`). */
export function readCommand(text: string): { name: string; args: string } | undefined {
  const match = /^\/([A-Za-z][\w-]*)(?:\s+([\s\S]*))?$/.exec(text.trim());
  return match ? { name: (match[1] ?? "").toLowerCase(), args: match[2] ?? "" } : undefined;
}

export type CommandRunner = (command: { name: string; args: string }) => Promise<void>;

/** Runs the window's commands here and the server's there; never rejects. */
export function commandRunner(context: CommandContext): CommandRunner {
  return async ({ name, args }) => {
    try {
      const row = windowCommand(name);
      if (row) return await row.run(context, args);
      const names = knownCommands(context.state()).flatMap((each) => each.names);
      if (names.includes(name)) return await context.runOnServer(name, args);
      const close = closestNames(name, names).map((each) => `/${each}`);
      const hint = close.length > 0 ? `Did you mean ${close.join(" or ")}?` : "/help shows what there is.";
      context.say("warning", `There is no command /${name}. ${hint}`);
    } catch (error) {
      context.say("error", `/${name}: ${wordsOf(error)}`);
    }
  };
}
