import { dirname, relative } from "node:path";
import { isWithin } from "@harness/gate";
import { realPathOrSame } from "@harness/host";
import { projectOf } from "../policies/policy-paths.ts";

/** The unit of trust that a folder belongs to. */
export type TrustRoot = {
  /** The real path of the repository, or of the folder if there is none. A worktree counts as a repository. */
  root: string;
  /** The folders from the root to this one, relative to the root; the root itself is empty. */
  folders: readonly string[];
  /** Why nothing here can be trusted permanently, as a sentence. */
  refusal?: string;
};

/** A repository that contains the home folder is not a unit of trust: there each folder is its own root. */
export function trustRoot(cwd: string, home: string): TrustRoot {
  const folder = realPathOrSame(cwd);
  const { top } = projectOf(folder);
  const realHome = realPathOrSame(home);
  const root = isWithin(realHome, top) ? folder : top;
  const names = relative(root, folder).split("/").filter(Boolean);
  const refusal = refusalOf(root, realHome);
  return {
    root,
    folders: ["", ...names.map((_, at) => names.slice(0, at + 1).join("/"))],
    ...(refusal === undefined ? {} : { refusal }),
  };
}

function refusalOf(root: string, home: string): string | undefined {
  const next = "Work in the folder of a project instead.";
  if (root === home)
    return `${root} is your home folder: everything that is put into it later would be trusted as well. ${next}`;
  if (dirname(root) === root) return `${root} is the whole file system and cannot be trusted. ${next}`;
  if (isWithin(home, root)) return `${root} contains the home folders of users and cannot be trusted. ${next}`;
  return undefined;
}
