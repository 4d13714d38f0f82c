import { operandsOf } from "./arguments/operands.ts";
import { emacsCode } from "./interpreters.ts";
import type { Programs } from "./program.ts";
import { editorStarts } from "./starts/editor-text.ts";

const edits = (args: readonly string[]) => ({
  written: operandsOf(args, /^(?:-[cSsTtuUwWp]|--cmd|--eval|-l|-f)$/).filter((word) => !word.startsWith("+")),
});
const byCommands = (args: readonly string[]) => args.some((word) => /^-(?:[a-zA-Z]*[esE]|$)/.test(word));
const vi = { editor: true, start: editorStarts, code: emacsCode, files: edits } as const;

/**
 * Programs that show or edit text and can run commands from within; some also run commands that are piped into them.
 */
export const editors: Programs = {
  "ed red": { editor: true, start: editorStarts, files: edits, runsPiped: () => true },
  ex: { ...vi, runsPiped: () => true },
  "vi vim nvim": { ...vi, runsPiped: byCommands },
  emacs: { code: emacsCode, files: edits },
  "nano pico micro": { files: edits },
  "view rvim gvim vimdiff": { editor: true, start: editorStarts },
  "less more": { editor: true, start: editorStarts, inspects: "all" },
  man: { editor: true, start: editorStarts, runsOption: "-P --pager" },
  gdb: { editor: true, start: editorStarts, starts: "anywhere" },
};
