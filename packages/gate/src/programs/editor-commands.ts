/** Editors that run commands by `!`: as options, and as what they read. */
export const editors = /^(?:ed|red|ex|vi|vim|nvim|view|rvim|gvim|vimdiff|less|more|man|mail|ftp|gdb)$/;

/** Do they work by what is piped into them? */
export function isFedEditor(program: string, words: readonly string[]): boolean {
  if (/^(?:ed|red|ex)$/.test(program)) return true;
  return /^(?:vi|vim|nvim)$/.test(program) && words.some((word) => /^-(?:[a-zA-Z]*[esE]|$)/.test(word));
}

/** Texts in which a command of a shell may begin behind each sign of an editor's own language. */
export function editorTexts(words: readonly string[]): string[] {
  return words.filter((word) => /[!:+]|system|term/.test(word)).map(editorText);
}

/** As lines, parted where an editor's command may end and a shell's begin. */
export function editorText(text: string): string {
  return text.replace(/[!|:+'"]|\b(?:silent|execute|normal|terminal|term|system|read|write)\b/g, "\n");
}
