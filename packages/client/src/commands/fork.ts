import { textOf } from "@harness/protocol";
import type { FrontCommand } from "./front-command.ts";

const USAGE = "Usage: /fork, or /fork NUMBER to fork before your message of that number.";

/** Goes on in a copy of the conversation; the session stays as it is, and in History. */
export const forkCommand: FrontCommand = {
  aliases: ["branch"],
  words: "Go on in a fork, from here or before your message NUMBER",
  hint: "[NUMBER]",
  whileBusy: true,
  async run(front, args) {
    const { id: sessionId } = front.session;
    if (sessionId === undefined) return front.say("There is nothing to fork yet: send a message first.");
    const messages = (await front.transcript("main")).filter((item) => item.kind === "user" && item.origin === "user");
    const message = args === "" ? undefined : messages[Number(args) - 1];
    if (args !== "" && !/^\d+$/.test(args)) return front.say(USAGE, "warning");
    if (args !== "" && !message)
      return front.say(`There is no message ${args}: you have sent ${messages.length}. ${USAGE}`, "warning");
    const params = { sessionId, ...(message && { messageId: message.id }) };
    const { session, prompt } = await front.server.call("session/fork", params);
    await front.open(session.sessionId);
    if (prompt) front.draft(textOf(prompt));
    front.say(`This is a fork now. The other session stays as it is: /resume ${sessionId}`);
  },
};
