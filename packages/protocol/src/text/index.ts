// Text without the schemas: the first frame of the window needs it before anything else is loaded.
export { amount, byteSize } from "./amount.ts";
export { clipText } from "./clip-text.ts";
export { isPartOfEmoji } from "./emoji.ts";
export { markedText, nameInWords, shownName, type TextMark, textMark } from "./foreign-text.ts";
export { isGeneratedPath } from "./generated-path.ts";
export { indexedFolderLine } from "./indexed-folder-line.ts";
export { exitCodeInWords, signalInWords, signalOfExitCode } from "./signal-words.ts";
export { looksClosed, quotedAttribute, taggedText } from "./tagged-text.ts";
export { type VisiblePiece, visiblePieces, visibleText } from "./visible-text.ts";
export { shortList, wordList } from "./word-list.ts";
