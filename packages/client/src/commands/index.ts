// "@harness/client/commands": the slash commands of the window and of plain lines.
export { copyAnswer } from "./copy.ts";
export type { Front, FrontImages, FrontKind, FrontModels, FrontText } from "./front.ts";
export type { Choice } from "./front-command.ts";
export { commandsOf, type FrontCommandView, frontCommand, frontCommands, runFrontCommand } from "./front-commands.ts";
export { type FrontWords, insteadOf, lineWays } from "./other-names.ts";
export { commandNamed, readSlashLine, type SlashLine } from "./slash-line.ts";
