import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { CurrentFile } from "./current-file.ts";
import type { StoreGit } from "./store-git.ts";

type Name = { path: string; oid: string };

/** The files below a root that have several names (hard links), and the wanted content of each name. */
export class HardLinks {
  readonly #git: StoreGit;
  readonly #root: string;
  readonly #wanted: string;
  #known: Map<bigint, Name[]> | undefined;

  /** `wanted`: the tree with the contents that the names should get. */
  constructor(git: StoreGit, root: string, wanted: string) {
    this.#git = git;
    this.#root = root;
    this.#wanted = wanted;
  }

  /** True if all known names of the file want the same content. If not, they belonged to several files before. */
  async agree(file: CurrentFile & { kind: "file" }): Promise<boolean> {
    this.#known ??= await this.#look();
    const names = this.#known.get(file.ino) ?? [];
    return new Set(names.map(({ oid }) => oid)).size <= 1;
  }

  async #look(): Promise<Map<bigint, Name[]>> {
    const known = new Map<bigint, Name[]>();
    const listed = (await this.#git.run(["ls-tree", "-r", "-z", this.#wanted])).toString("utf8").split("\0");
    for (const line of listed) {
      const [, oid = "", path = ""] = /^\d+ blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
      const now = path === "" ? undefined : lstatOf(join(this.#root, path));
      if (!now?.isFile() || now.nlink < 2n) continue;
      known.set(now.ino, [...(known.get(now.ino) ?? []), { path, oid }]);
    }
    return known;
  }
}

function lstatOf(path: string) {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
