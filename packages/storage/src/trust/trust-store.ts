import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import type { Clock } from "@harness/gate";
import { fileStamp, isSettled, realPathOrSame } from "@harness/host";
import type { TrustItem } from "@harness/protocol";
import type { Places } from "../places.ts";
import { nestedRepositories } from "./nested-repositories.ts";
import { TrustDecisions, type TrustEntry } from "./trust-decisions.ts";
import { trustDetail } from "./trust-detail.ts";
import {
  type FoundFile,
  hashOfFiles,
  type OwnFolders,
  readTrustFiles,
  type TrustFile,
  type TrustReading,
} from "./trust-files.ts";
import { holderOf, trustKind, withoutFolder } from "./trust-kind.ts";
import { isWithin, type TrustRoot, trustRoot } from "./trust-root.ts";

export type TrustOptions = {
  places: Pick<Places, "root">;
  home: string;
  clock: Pick<Clock, "now">;
  envUsed: TrustReading["envUsed"];
};

/** What a folder brings, as it lies there now. */
export type TrustContents = TrustRoot & {
  files: readonly TrustFile[];
  /** Of all files; what is decided about is this. */
  hash: string;
  /** Why it cannot be vouched for at all, as a sentence. */
  tooMuch?: string;
};

export type TrustChange = { file: TrustFile; change: "added" | "changed" | "removed" };

type Known = { root: string; looked: readonly string[]; stamp: string; look: TrustContents };

/** What folders bring, and what the person decided about it. Reads nothing yet. */
export class TrustStore {
  readonly #options: TrustOptions;
  readonly #book: TrustDecisions;
  readonly #known = new Map<string, Known>();

  constructor(options: TrustOptions) {
    this.#options = options;
    this.#book = new TrustDecisions(options.places);
  }

  /** Costs a stat of each file while nothing has changed. Never throws. */
  look(cwd: string): TrustContents {
    const place = trustRoot(cwd, this.#options.home);
    const known = this.#known.get(cwd);
    if (known && known.root === place.root && known.stamp === stampsOf(known.looked)) return known.look;
    return this.#read(cwd, place);
  }

  /** The same, with what each file would do, in words; and the repositories in it, which need trust of their own. */
  async describe(cwd: string): Promise<TrustContents & { items: TrustItem[] }> {
    const envNames = (text: string) => this.#options.envUsed(text).map(([name]) => name);
    const items: TrustItem[] = [];
    const place = trustRoot(cwd, this.#options.home);
    const look = this.#read(cwd, place, (file) => {
      const kind = trustKind(withoutFolder(file));
      items.push({ kind, path: file.path, detail: trustDetail({ kind, file, envNames }) });
    });
    const nested = place.refusal === undefined ? await nestedRepositories(place.root) : [];
    const detail = "a repository of its own: it needs its own trust";
    return { ...look, items: [...items, ...nested.map((path) => ({ kind: "nested" as const, path, detail }))] };
  }

  /** What was decided about a root, whatever its content is by now. */
  decided(root: string): TrustEntry | undefined {
    return this.#book.of(root);
  }

  /** Why decisions can neither be known nor kept, as a sentence. */
  get problem(): string | undefined {
    return this.#book.problem;
  }

  /** On disk when it returns; a sentence when it could not be written. */
  keep(
    { root, folders, files, hash }: TrustContents,
    decision: TrustEntry["decision"],
  ): { problem: string } | undefined {
    const at = new Date(this.#options.clock.now()).toISOString();
    return this.#book.change(root, (before) => {
      const isMore = before?.decision === "trust" && decision === "trust";
      // What was vouched for in folders beside this one stays so.
      const others = isMore ? before.files.filter(({ folder }) => !folders.includes(folder)) : [];
      return { root, decision, at, hash, files: [...others, ...files] };
    });
  }

  forget(root: string): { problem: string } | undefined {
    return this.#book.change(root, () => undefined);
  }

  /** Does a file belong to the person wherever it lies: is it in the `.harness` of the home folder? */
  isOwn(path: string): boolean {
    return isWithin(realPathOrSame(path), realPathOrSame(join(this.#options.home, ".harness")));
  }

  /** Of the folder whose trust counts for a file that has effect in `cwd`: what lies outside of its root has its own. */
  lookFor(cwd: string, file: string): TrustContents {
    const look = this.look(cwd);
    const holder = realPathOrSame(holderOf(file));
    return isWithin(holder, look.root) ? look : this.look(holder);
  }

  /** Is the file one of those that have an effect? */
  lists({ root, files }: TrustContents, file: string): boolean {
    const holder = holderOf(file);
    const path = relative(root, join(realPathOrSame(holder), relative(holder, file)));
    return files.some((each) => each.path === path);
  }

  /** The same, and not led out of the root by a link. */
  covers(look: TrustContents, file: string): boolean {
    if (!this.lists(look, file)) return false;
    try {
      return isWithin(realpathSync(file), look.root);
    } catch {
      return false;
    }
  }

  #read(cwd: string, place: TrustRoot, onFile?: (file: FoundFile) => void): TrustContents {
    const startedAt = Date.now();
    const { files, looked, tooMuch } = readTrustFiles(place, {
      own: this.#own(),
      envUsed: this.#options.envUsed,
      onFile,
    });
    const stamp = stampsOf(looked);
    const look = { ...place, files, hash: hashOfFiles(files), ...(tooMuch === undefined ? {} : { tooMuch }) };
    const allSettled = looked.every((path) => isSettled(path, startedAt));
    if (allSettled) this.#known.set(cwd, { root: place.root, looked, stamp, look });
    else this.#known.delete(cwd);
    return look;
  }

  #own(): OwnFolders {
    const { home, places } = this.#options;
    const config = realPathOrSame(places.root);
    return {
      harness: new Set([realPathOrSame(join(home, ".harness")), config]),
      env: new Set([realPathOrSame(home), config]),
    };
  }
}

/** What is another now than it was; files of folders that are not looked at do not count. */
export function trustChanges(
  { files, folders }: Pick<TrustContents, "files" | "folders">,
  before: readonly TrustFile[],
): TrustChange[] {
  const then = new Map(before.map((file) => [file.path, file]));
  const now = new Set(files.map(({ path }) => path));
  const changes = files.flatMap((file): TrustChange[] => {
    const old = then.get(file.path);
    if (!old) return [{ file, change: "added" }];
    return old.sha256 === file.sha256 ? [] : [{ file, change: "changed" }];
  });
  const gone = before.filter(({ path, folder }) => folders.includes(folder) && !now.has(path));
  return [...changes, ...gone.map((file): TrustChange => ({ file, change: "removed" }))];
}

function stampsOf(paths: readonly string[]): string {
  return paths.map(fileStamp).join("\n");
}
