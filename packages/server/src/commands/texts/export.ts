import { homedir } from "node:os";
import { resolve } from "node:path";
import { diskProblem, errorCode, writeNewFile } from "@harness/host";
import { conversationText, ROOT_AGENT } from "@harness/protocol";
import type { CommandAnswer, ServerCommand } from "../server-command.ts";

export const exportCommand: ServerCommand = {
  description: "Write the conversation to a new Markdown file.",
  argumentHint: "[FILE]",
  needsSession: true,
  async run({ session, cwd, host }, args) {
    const { sessionId, state } = session;
    const text = conversationText(state.agents.get(ROOT_AGENT)?.items ?? []);
    if (text === "") return refusal("There is nothing to export yet.");
    const path = resolve(cwd, args === "" ? `${sessionId}.md` : args.replace(/^~(?=\/|$)/, homedir()));
    const shown = host.sessions.live.need(sessionId).hide(text);
    try {
      // An existing file is never overwritten.
      writeNewFile(path, `${shown}\n`, { durable: "name" });
    } catch (error) {
      if (errorCode(error) === "EEXIST")
        return refusal(`Nothing was written: ${path} exists. Name another file: /export FILE.`);
      return refusal(diskProblem(error, "write the conversation", path));
    }
    return `Written to ${path}.`;
  },
};

/** A script that continues must learn that there is no file. */
function refusal(text: string): CommandAnswer {
  return { text, exitCode: 1 };
}
