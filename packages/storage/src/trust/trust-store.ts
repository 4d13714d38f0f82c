import { join, relative, resolve } from "node:path";
import type { Clock } from "@harness/gate";
import { isWithin } from "@harness/gate";
import { type FileStamps, isSettled, readRegularFile, realPathOrSame } from "@harness/host";
import type { TrustItem } from "@harness/protocol";
import type { ConfigPaths } from "../config-paths.ts";
import { type AlteredReach, alteredReach } from "./altered-files.ts";
import { MomentaryPaths } from "./momentary-paths.ts";
import { nestedRepositories } from "./nested-repositories.ts";
import { type SecretGrant, TrustDecisions, type TrustEntry } from "./trust-decisions.ts";
import { itemKind, trustDetail, trustWhole } from "./trust-detail.ts";
import {
  type FoundFile,
  hashOfFiles,
  type OwnFolders,
  readTrustFiles,
  type TrustFile,
  type TrustReading,
} from "./trust-files.ts";
import { holderOf } from "./trust-kind.ts";
import { type TrustRoot, trustRoot } from "./trust-root.ts";

/** Characters of all files that are shown in full. */
const MAX_WHOLE_CHARS = 2_000_000;

export type TrustOptions = {
  configPaths: Pick<ConfigPaths, "root">;
  home: string;
  clock: Pick<Clock, "now">;
  envUsed: TrustReading["envUsed"];
  stamps: FileStamps;
  /** The names of the user's MCP servers, for comments on a project's. Absent: none. */
  ownServers?(cwd: string): ReadonlySet<string>;
};

/** The current state of a folder's files that need trust. */
export type TrustContents = TrustRoot & {
  files: readonly TrustFile[];
  /** The hash of all files, which decisions refer to. */
  hash: string;
  /** Why it cannot be trusted at all, as a sentence. */
  tooMuch?: string;
};

export type TrustChange = { file: TrustFile; change: "added" | "changed" | "removed" };

type CachedContents = { root: string; looked: readonly string[]; stamps: readonly string[]; look: TrustContents };

/** Larger files cannot be trusted. */
const MAX_TEXT_BYTES = 1024 * 1024;

/** Folders in the home folder whose content is the user's own. */
const OWN_FOLDERS = [".harness", ".claude", ".agents", ".tinyharness/skills", ".codex", ".cursor", ".gemini"];

/** The files of folders that need trust, and the user's decisions about them. Reads nothing yet. */
export class TrustStore {
  readonly #options: TrustOptions;
  readonly #decisions: TrustDecisions;
  readonly #known = new Map<string, CachedContents>();
  readonly #paths = new MomentaryPaths();

  constructor(options: TrustOptions) {
    this.#options = options;
    this.#decisions = new TrustDecisions(options.configPaths);
  }

  /** Costs one stat per file as long as nothing has changed. Never throws. */
  inspect(cwd: string): TrustContents {
    const place = trustRoot(cwd, this.#options.home);
    const known = this.#known.get(cwd);
    const isSame = known?.root === place.root && this.#options.stamps.areSame(known.looked, known.stamps);
    return known && isSame ? known.look : this.#read(cwd, place);
  }

  /** Call after this process wrote a file: everything is checked again. */
  forgetMoment(): void {
    this.#options.stamps.forgetMoment();
  }

  /**
   * The same with a description of each file, and the nested repositories, which need separate trust. `onContent` is
   * called with the very bytes that were hashed.
   */
  async describe(
    cwd: string,
    onContent: (path: string, content: Buffer) => void = () => undefined,
  ): Promise<TrustContents & { items: TrustItem[] }> {
    const envNames = (text: string) => this.#options.envUsed(text).map(([name]) => name);
    const ownServers = this.#options.ownServers?.(cwd) ?? new Set<string>();
    const items: TrustItem[] = [];
    let room = MAX_WHOLE_CHARS;
    const place = trustRoot(cwd, this.#options.home);
    const look = this.#read(cwd, place, (file) => {
      const kind = itemKind(file);
      const whole = trustWhole({ kind, file });
      const detail = trustDetail({ kind, file, envNames, ownServers });
      room -= whole?.length ?? 0;
      items.push({ kind, path: file.path, detail, ...(whole !== undefined && room >= 0 && { whole }) });
      if (file.content) onContent(file.path, file.content);
    });
    const nested = place.refusal === undefined ? await nestedRepositories(place.root) : [];
    const detail = "a separate repository, which needs its own trust";
    return { ...look, items: [...items, ...nested.map((path) => ({ kind: "nested" as const, path, detail }))] };
  }

  /** The decision about a root, whatever its current content. */
  decisionOn(root: string): TrustEntry | undefined {
    return this.#decisions.of(root);
  }

  /** Why decisions can neither be read nor saved, as a sentence. */
  get problem(): string | undefined {
    return this.#decisions.problem;
  }

  /** On disk on return; a sentence if it could not be written. */
  save(
    { root, folders, files, hash }: TrustContents,
    decision: TrustEntry["decision"],
  ): { problem: string } | undefined {
    const at = new Date(this.#options.clock.now()).toISOString();
    return this.#decisions.change(root, (before) => {
      const isMore = before?.decision === "trust" && decision === "trust";
      // Files in other folders of the root stay trusted.
      const others = isMore ? before.files.filter(({ folder }) => !folders.includes(folder)) : [];
      const kept = [...others, ...files];
      // A changed file gets no secret before the user was asked again.
      const grants = isMore ? (before.grants ?? []).filter((grant) => kept.some((file) => isFileOf(grant, file))) : [];
      return { root, decision, at, hash, files: kept, ...(grants.length > 0 && { grants }) };
    });
  }

  /** Saved with the trust that it depends on: without that, it is not saved either. */
  saveGrant(root: string, grant: SecretGrant): { problem: string } | undefined {
    return this.#decisions.change(root, (before) => {
      if (before?.decision !== "trust") return before;
      const others = (before.grants ?? []).filter(({ path }) => path !== grant.path);
      return { ...before, grants: [...others, grant] };
    });
  }

  remove(root: string): { problem: string } | undefined {
    return this.#decisions.change(root, () => undefined);
  }

  /**
   * True if a file is in the home folder's `.harness` and so the user's own. A project's link to such a file is not.
   */
  isOwn(path: string): boolean {
    const whole = resolve(path);
    const holder = holderOf(whole);
    const isAtHome = this.#paths.folder(holder) === this.#paths.folder(this.#options.home);
    return isAtHome && isWithin(whole, join(holder, ".harness"));
  }

  /**
   * The contents of the folder whose trust applies to a file with an effect in the folder of `look`: a file outside its
   * root has its own root.
   */
  inspectFor(look: TrustContents, file: string): TrustContents {
    const holder = this.#paths.folder(holderOf(file));
    return isWithin(holder, look.root) ? look : this.inspect(holder);
  }

  /** The effect of changes since a decision on the unchanged files. */
  reach(
    { root, files, folders }: Pick<TrustContents, "root" | "files" | "folders">,
    { before, changes }: { before: readonly TrustFile[]; changes: readonly TrustChange[] },
  ): AlteredReach {
    const altered = changes.map(({ file }) => file);
    const examined = before.filter(({ folder }) => folders.includes(folder));
    return alteredReach({ files, before: examined, altered }, ({ path }) => textIn(root, path));
  }

  /** True if the file is one of those that need trust. */
  contains(look: TrustContents, file: string): boolean {
    return this.find(look, file) !== undefined;
  }

  /** The file among those that need trust. */
  find({ root, files }: TrustContents, file: string): TrustFile | undefined {
    const holder = holderOf(file);
    const path = relative(root, join(this.#paths.folder(holder), relative(holder, file)));
    return files.find((each) => each.path === path);
  }

  /** The same, and no link leads it out of the root. */
  covers(look: TrustContents, file: string): boolean {
    if (!this.contains(look, file)) return false;
    try {
      return isWithin(this.#paths.file(file), look.root);
    } catch {
      return false;
    }
  }

  #read(cwd: string, place: TrustRoot, onFile?: (file: FoundFile) => void): TrustContents {
    const startedAt = Date.now();
    const { files, looked, tooMuch } = readTrustFiles(place, {
      own: this.#own(),
      home: this.#options.home,
      envUsed: this.#options.envUsed,
      onFile,
    });
    const stamps = looked.map((path) => this.#options.stamps.of(path));
    const look = { ...place, files, hash: hashOfFiles(files), ...(tooMuch === undefined ? {} : { tooMuch }) };
    const allSettled = looked.every((path) => isSettled(path, startedAt));
    if (allSettled) this.#known.set(cwd, { root: place.root, looked, stamps, look });
    else this.#known.delete(cwd);
    return look;
  }

  #own(): OwnFolders {
    const { home, configPaths } = this.#options;
    const config = realPathOrSame(configPaths.root);
    return {
      harness: new Set([...OWN_FOLDERS.map((name) => realPathOrSame(join(home, name))), config]),
      env: new Set([realPathOrSame(home), config]),
    };
  }
}

function textIn(root: string, path: string): string | undefined {
  try {
    const real = realPathOrSame(join(root, path));
    if (!isWithin(real, root)) return undefined;
    return readRegularFile(real, { maxBytes: MAX_TEXT_BYTES, followLinks: false }).toString("utf8");
  } catch {
    return undefined;
  }
}

/** True if the grant is about exactly this version of the file. */
export function isFileOf(grant: Pick<SecretGrant, "path" | "sha256">, { path, sha256 }: TrustFile): boolean {
  return grant.path === path && grant.sha256 === sha256;
}

/** The changes since a decision; files of folders that were not examined are ignored. */
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
