import { relative, sep } from "node:path";
import type { UndoRules } from "@harness/core";
import { isWithin } from "@harness/gate";
import { realPathOrSame } from "@harness/host";
import { excludeText } from "./exclude-file.ts";
import { isIgnoredFolder, repositoryTop } from "./ignore-rules.ts";

/** Generated folders, for folders outside a repository. */
const madeByPrograms = [
  "node_modules",
  ".venv",
  "venv",
  "__pycache__",
  ".cache",
  ".tox",
  ".mypy_cache",
  ".pytest_cache",
  ".gradle",
  ".next",
  ".nuxt",
  ".terraform",
  ".direnv",
  "bower_components",
];

/**
 * Locks and copies that an editor keeps beside a file while it is edited: of Emacs, Vim, Kate, office
 * programs and JetBrains. They come and go during a turn, and a copy may be the only place of unsaved text.
 */
const madeByEditors = [
  ".#*",
  "\\#*#",
  ".*.sw[a-p]",
  ".*.kate-swp",
  ".~lock.*#",
  "~$*",
  "*___jb_tmp___",
  "*___jb_old___",
];

/** Conversations are not part of the work in their folder. */
const CONVERSATIONS = ".harness/sessions";

/**
 * In a repository the rules are the repository's, whichever part of it the folder is; a folder that they ignore, or that
 * is left out there, has only rules of its own.
 */
export async function undoRules(folder: string, leaveOut: readonly string[]): Promise<UndoRules> {
  const repository = await repositoryTop(folder);
  const apart = leaveOut.map((each) => realPathOrSame(each));
  const isApart = [...apart, `${repository ?? folder}/${CONVERSATIONS}`].some((each) => isWithin(folder, each));
  const top = repository === undefined || isApart || (await isIgnoredFolder(folder, folder)) ? folder : repository;
  const inside = apart.filter((each) => each !== top && isWithin(each, top));
  const lines = [
    ...inside.map((each) => `/${literally(relative(top, each))}`),
    `${CONVERSATIONS}/`,
    ...madeByEditors,
    ...(repository === undefined ? madeByPrograms.map((name) => `${name}/`) : []),
  ];
  const own = repository === top ? await excludeText(top) : "";
  return { top, exclude: `${own}${lines.join("\n")}\n` };
}

/** The pattern that matches exactly this path in a `.gitignore`. */
function literally(path: string): string {
  return path
    .split(sep)
    .join("/")
    .replace(/[\\*?[\]! #]/g, "\\$&");
}
