import type { FrontCommand } from "./front-command.ts";

/** Goes on in a new session with a brief of this one, which the user can edit before it is sent. */
export const handoffCommand: FrontCommand = {
  words: "Go on in a new session with a brief of this one",
  hint: "[WHAT FOR]",
  async run(front, purpose) {
    const { id: sessionId } = front.session;
    if (sessionId === undefined) return front.say("There is nothing to hand over yet: send a message first.");
    const { title } = await front.view();
    front.say("The model writes a brief of this session …");
    const { text } = await front.server.call("session/brief", { sessionId, purpose });
    // It takes a while, and the user may be in a different session by now.
    if (front.session.id !== sessionId)
      return front.say(
        `The brief of session ${sessionId} is not used, since you left it. Type /handoff there again.`,
        "warning",
      );
    front.begin(sessionId);
    // The first line becomes the title.
    const task = purpose || `Go on with: ${title ?? sessionId}`;
    front.draft(`${task}\n\nThis continues session ${sessionId}. A brief of it:\n\n${text}`);
    front.say(`Edit the brief and send it: that starts the new session. This one stays: /resume ${sessionId}`);
  },
};
