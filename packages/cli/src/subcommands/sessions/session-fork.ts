import { CliError } from "../../process/exit-codes.ts";
import type { SubcommandHandler } from "../run-subcommand.ts";

/** `harness session fork ID --json`: makes a fork and does not open it. */
export const sessionForkSubcommand: SubcommandHandler = async ({ client, line, say }) => {
  const [sessionId = "", ...prompt] = line.positionals;
  if (sessionId.trim() === "" || prompt.length > 0)
    throw new CliError("usage", "With --json only a fork is made: harness session fork ID --json");
  const wanted = { sessionId, ...(line.has("worktree") && { worktree: true }) };
  const { session, worktree } = await client.call("session/fork", wanted);
  say(JSON.stringify({ session, ...(worktree && { worktree }) }));
  return "done";
};
