import type { StartReader } from "./started-commands.ts";

/** Split into lines at each place where an editor's command may end and a shell command begin. */
export function editorText(text: string): string {
  return text.replace(/[!|:+'"]|\b(?:silent|execute|normal|terminal|term|system|read|write)\b/g, "\n");
}

/** Texts in which a shell command may begin after any sign of the editor's own language. */
export const editorStarts: StartReader = (started, rest, { redirects }) => {
  const words = rest.map(({ text }) => text).filter((text) => /[!:+]|system|term/.test(text));
  const scripts = redirects.flatMap(({ operator, target }) => (operator.includes("<<") ? [target.text] : []));
  started.code.push(...[...words, ...scripts].map(editorText));
};
