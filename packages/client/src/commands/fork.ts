import { textOf } from "@harness/protocol";
import type { FrontCommand } from "./front-command.ts";

const USAGE =
  "Usage: /fork, or /fork NUMBER to fork before your message of that number; with `worktree` the fork has files of its own.";

/** Goes on in a copy of the conversation; the session stays as it is, and in History. */
export const forkCommand: FrontCommand = {
  aliases: ["branch"],
  words: "Go on in a fork, from here or before your message NUMBER",
  hint: "[NUMBER] [worktree]",
  whileBusy: true,
  async run(front, args) {
    const { id: sessionId } = front.session;
    if (sessionId === undefined) return front.say("There is nothing to fork yet: send a message first.");
    const [, number, apart] = /^(\d+)?\s*((?:--)?worktree)?$/.exec(args) ?? [];
    if (args !== "" && number === undefined && apart === undefined) return front.say(USAGE, "warning");
    const messages = (await front.transcript("main")).filter((item) => item.kind === "user" && item.origin === "user");
    const message = number === undefined ? undefined : messages[Number(number) - 1];
    if (number !== undefined && !message)
      return front.say(`There is no message ${number}: you have sent ${messages.length}. ${USAGE}`, "warning");
    const where = apart === undefined ? {} : { worktree: true };
    const params = { sessionId, ...(message && { messageId: message.id }), ...where };
    const { session, prompt, worktree } = await front.server.call("session/fork", params);
    // The same person goes on: what they chose for this session holds.
    const { permissionMode, mode } = front.session.state?.config ?? {};
    await front.open(session.sessionId, { ...(permissionMode && { permissionMode }), ...(mode && { mode }) });
    if (prompt) front.draft(textOf(prompt));
    const place = worktree ? ` It works in ${worktree.path}, on the branch ${worktree.branch}.` : "";
    const without = worktree?.leftOut === undefined ? "" : ` Missing there: ${worktree.leftOut}.`;
    front.say(`This is a fork now.${place}${without} The other session stays as it is: /resume ${sessionId}`);
  },
};
