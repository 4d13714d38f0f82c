// "@harness/client/actions": shared behaviour and texts of the window and the line mode.
export { byteCount } from "./byte-count.ts";
export { type CopyTerminal, copyToTerminal } from "./clipboard.ts";
export { type EditedText, editInProgram } from "./external-editor.ts";
export { indexProgressShare, indexProgressText, indexText, progressBar } from "./index-text.ts";
export { itemText } from "./item-text.ts";
export { imageList, imagePart, MAX_IMAGES, TOO_MANY_IMAGES, unquotedPath } from "./message-images.ts";
export { type ModeChoice, modeChoiceConfig, modeChoiceId, modeChoices } from "./mode-choices.ts";
export { type Modes, modeSentence, modeWords, nextModes } from "./mode-words.ts";
export { nextStep } from "./next-step.ts";
export { type NoticeText, noticeOf } from "./notice-text.ts";
export { occurrences } from "./occurrences.ts";
export { openBackticks } from "./open-backticks.ts";
export { type PullUpdate, pullText } from "./pull-text.ts";
export {
  decideHunk,
  isDecided,
  NO_PROGRESS,
  progressAgain,
  type ReviewProgress,
  reviewOutcome,
} from "./review-progress.ts";
export { factLines, hereFacts, type LabelledText, type SessionView } from "./session-facts.ts";
