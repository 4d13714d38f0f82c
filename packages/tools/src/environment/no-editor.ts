/** The message of the program that replaces an editor and then fails. */
export const NO_EDITOR = "no editor here: use -m, -F or --no-edit, or write the file";

/**
 * Runs the editor that the command line itself names, by a variable or `git -c`; otherwise it fails, because nobody
 * could answer an editor, and its success would be taken as the user's consent. For a shell: a program that splits it
 * at spaces fails as well.
 */
const script = [
  "c=",
  `case "\${1##*/},$GIT_CONFIG_PARAMETERS" in`,
  "git-rebase-todo,*sequence.editor*) c=$(git config sequence.editor) ;;",
  "*,*core.editor*) c=$(git config core.editor) ;;",
  "esac",
  `for e in "$c" "$GIT_EDITOR" "$VISUAL" "$EDITOR"; do case "$e" in`,
  `"" | *"no editor here"*) ;;`,
  `*) eval "$e \\"\\$@\\""; exit ;;`,
  "esac; done",
  `echo "${NO_EDITOR}" >&2; exit 1`,
].join("\n");

const editor = `sh -c '${script}' editor`;

/**
 * Variables that select an editor before programs' own settings. `VISUAL` is missing: if nobody sets it, a command's
 * own `EDITOR` counts.
 */
export const noEditor: Readonly<Record<string, string>> = Object.fromEntries(
  [
    "EDITOR",
    "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR",
    "HGEDITOR",
    "SVN_EDITOR",
    "GH_EDITOR",
    "GLAB_EDITOR",
    "JJ_EDITOR",
  ].map((name) => [name, editor]),
);
