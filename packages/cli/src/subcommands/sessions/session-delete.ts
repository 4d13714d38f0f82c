import { visibleText } from "@harness/protocol";
import { CliError } from "../../process/exit-codes.ts";
import { confirm } from "../confirm.ts";
import type { SubcommandHandler } from "../run-subcommand.ts";

/** `harness session delete ID`: for good, after a question; `--now` asks nothing. */
export const sessionDeleteSubcommand: SubcommandHandler = async ({ client, line, say, stopping }) => {
  const { session } = await client.call("session/get", { sessionId: line.positionals[0] ?? "" });
  const { sessionId, title, preview } = session;
  if (!line.has("now")) {
    if (!process.stdin.isTTY || !process.stderr.isTTY)
      throw new CliError(
        "usage",
        "Deleting a session asks first, which needs a terminal. --now deletes without asking.",
      );
    const question = `Delete ${sessionId} (${visibleText(title ?? preview).slice(0, 60)}) for good? [y/N] `;
    if (!(await confirm({ question, ...stopping }))) throw new CliError("failed", "Nothing was deleted.");
  }
  await client.call("session/delete", { sessionId });
  say(line.has("json") ? JSON.stringify({ sessionId }) : `${sessionId} is deleted.`);
  return "done";
};
