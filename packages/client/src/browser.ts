// "@harness/client/browser": the client without what only Node has.
export { modeChoiceConfig, modeChoiceId, modeChoices } from "./actions/mode-choices.ts";
export { type ClientOptions, type HarnessClient, openClient } from "./client.ts";
export { commandNamed, readSlashLine } from "./commands/slash-line.ts";
export { errorText } from "./errors.ts";
export type { ServerListeners } from "./link/connect-server.ts";
export { type LinkState, ServerLink } from "./link/server-link.ts";
export { SessionRouter } from "./link/session-router.ts";
export type { Question, QuestionAnswer } from "./session/open-questions.ts";
export { Session } from "./session/session.ts";
