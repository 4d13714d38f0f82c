import type { Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  type FileStamps,
  isSettled,
  namedServers,
  readLenientJson,
  readRegularFile,
  realPathOrSame,
  statIfThere,
} from "@harness/host";
import { isFolder, namesIn } from "./find-sources.ts";
import { type FoundEntry, notRunProblem, type Source } from "./source.ts";
import { type KindLayout, sourceLayouts } from "./source-layouts.ts";

const EXECUTABLE = 0o111;
/** The limit for a source with its plugins, so that a source full of files does not take the room of others. */
const MAX_NAMES = 2_000;
const MAX_DEPTH = 5;
const MAX_SETTINGS_BYTES = 1024 * 1024;
/** Files that people and editors leave beside programs. */
const NOT_MEANT = /^readme(\.|$)|~$|\.(bak|orig|swp)$/i;

/** Precedes the number that makes the stamp of a file that has just changed unique. */
const UNSETTLED = "unsettled ";

type EntryLocation = { kind: FoundEntry["kind"]; source: Source; folder: string; stage?: string };

/** Lists the entries of sources; reads only settings of other programs, for what they contain. Never throws. */
export class SourceReading {
  readonly entries: FoundEntry[] = [];
  /** All paths that were looked at. */
  readonly looked: string[] = [];
  readonly #stamps: FileStamps;
  readonly #atMs: number;
  readonly #round: number;
  readonly #named = new Map<string, string>();
  /** How many names were visited, by source with its plugins. */
  readonly #names = new Map<string, number>();

  /** A file that has just changed may change again without a new stamp, so it gets a stamp that never matches. */
  constructor(stamps: FileStamps, { atMs, round }: { atMs: number; round: number }) {
    this.#stamps = stamps;
    this.#atMs = atMs;
    this.#round = round;
  }

  read(source: Source): void {
    for (const row of sourceLayouts[source.layout]) this.#readKind(source, row);
  }

  #readKind(source: Source, { kind, path, form }: KindLayout): void {
    const folder = join(source.folder, path);
    const place = { kind, source, folder };
    const isFile = form === "file" || form === "servers-in-settings";
    const isThere = !isFile && isFolder(folder);
    if (isThere) this.looked.push(folder);
    if (form === "servers-in-settings") this.#serversInSettings(source, kind, path);
    else if (isFile) this.#file(source, kind, path);
    else if (!isThere) return;
    else if (form === "programs") this.#programs(place);
    else if (form === "stages") this.#stages(place);
    else if (form === "skill-folders") this.#skills(place);
    else if (form === "markdown") this.#markdown(place, "");
    else this.#commandTree(place, "", []);
  }

  #file(source: Source, kind: FoundEntry["kind"], name: string): void {
    const path = join(source.folder, name);
    const stat = statIfThere(path);
    if (stat) this.#add({ kind, source, folder: source.folder }, { name, path, stat });
    // A source's folder changes when the file appears; a project's folder is not a source before that.
  }

  #serversInSettings(source: Source, kind: FoundEntry["kind"], name: string): void {
    const path = join(source.folder, name);
    this.looked.push(path);
    if (mayNameServers(path)) this.#file(source, kind, name);
  }

  #stages({ source, folder }: EntryLocation): void {
    for (const stage of this.#namesIn({ kind: "hook", source, folder })) {
      const inner = join(folder, stage);
      if (!isFolder(inner)) continue;
      this.looked.push(inner);
      this.#programs({ kind: "hook", source, folder: inner, stage });
    }
  }

  #programs(location: EntryLocation): void {
    const names = this.#namesIn(location).filter((name) => !NOT_MEANT.test(name));
    const all = new Set(names);
    for (const name of names) {
      const path = join(location.folder, name);
      const isConf = name.endsWith(".conf");
      if (isConf && all.has(name.slice(0, -".conf".length))) continue;
      if (isConf && location.kind === "provider") this.#add(location, { name: name.slice(0, -".conf".length), path });
      else if (isConf) this.#settingsAlone(location, name);
      else if (!isFolder(path)) this.#program(location, name, all.has(`${name}.conf`) ? `${path}.conf` : undefined);
    }
  }

  /** Settings whose program is missing. If they became executable, they would be run as one. */
  #settingsAlone(location: EntryLocation, name: string): void {
    const path = join(location.folder, name);
    this.#add(location, { name, path, stat: statIfThere(path), problem: notRunProblem(location.kind, path) });
  }

  #program(location: EntryLocation, name: string, sidecar?: string): void {
    const path = join(location.folder, name);
    const stat = statIfThere(path);
    const canRun = stat !== undefined && (stat.mode & EXECUTABLE) !== 0;
    const problem = stat && !canRun ? notRunProblem(location.kind, path) : undefined;
    this.#add(location, { name, path, stat, ...(sidecar && { sidecar }), ...(problem && { problem }) });
  }

  #markdown(location: EntryLocation, prefix: string, names = this.#namesIn(location)): void {
    for (const name of names) {
      if (!/(?<!^readme)\.md$/i.test(name)) continue;
      this.#add(location, { name: prefix + name.slice(0, -".md".length), path: join(location.folder, name) });
    }
  }

  /** `above`: the real paths of the folders above: a link back to one of them would never end. */
  #commandTree(location: EntryLocation, prefix: string, above: readonly string[]): void {
    const names = this.#namesIn(location);
    this.#markdown(location, prefix, names);
    const isOurs = location.source.layout === "harness";
    const around = [...above, realPathOrSame(location.folder)];
    for (const name of names) {
      const path = join(location.folder, name);
      if (isFolder(path)) {
        if (around.length >= MAX_DEPTH || around.includes(realPathOrSame(path))) continue;
        this.looked.push(path);
        this.#commandTree({ ...location, folder: path }, `${prefix}${name}:`, around);
      } else if (isOurs && prefix === "" && !/\.(md|conf)$/i.test(name) && !NOT_MEANT.test(name)) {
        this.#program(location, name);
      }
    }
  }

  #skills(location: EntryLocation): void {
    for (const name of this.#namesIn(location)) {
      const folder = join(location.folder, name);
      if (!isFolder(folder)) continue;
      const file = namesIn(folder).find((each) => each.toLowerCase() === "skill.md");
      // Its own stamp shows when it is removed; the folder's shows when it is created.
      if (file === undefined) this.looked.push(folder);
      else this.#add(location, { name, path: join(folder, file) });
    }
  }

  /** As many as there is room for; that some are left out is reported once. */
  #namesIn({ kind, source, folder }: EntryLocation): string[] {
    const base = baseOf(source.folder);
    const taken = this.#names.get(base) ?? 0;
    const names = namesIn(folder);
    this.#names.set(base, taken + names.length);
    if (taken + names.length <= MAX_NAMES) return names;
    if (taken <= MAX_NAMES) {
      const problem = `${base} has more than ${MAX_NAMES.toLocaleString("en-US")} files: the rest, from ${folder} on, is not used.`;
      this.entries.push({
        kind,
        name: basename(folder),
        path: folder,
        source,
        isExecutable: false,
        stamp: "",
        problem,
      });
    }
    return names.slice(0, Math.max(0, MAX_NAMES - taken));
  }

  #add(
    location: EntryLocation,
    found: Pick<FoundEntry, "name" | "path" | "sidecar" | "problem"> & { stat?: Stats | undefined },
  ): void {
    const { kind, source, stage } = location;
    const { name, path, sidecar, stat = statIfThere(path) } = found;
    this.looked.push(path);
    if (sidecar !== undefined) this.looked.push(sidecar);
    const stamp = [path, sidecar].map((each) => (each === undefined ? "" : this.#stampOf(each))).join("|");
    const problem = found.problem ?? fileProblem(path, stat) ?? this.#twinProblem(location, name, path);
    this.entries.push({
      kind,
      name,
      path,
      source,
      ...(stage !== undefined && { stage }),
      isExecutable: stat?.isFile() === true && (stat.mode & EXECUTABLE) !== 0,
      ...(sidecar !== undefined && { sidecar }),
      stamp,
      ...(problem !== undefined && { problem }),
    });
  }

  #stampOf(path: string): string {
    const stamp = this.#stamps.of(path);
    return isSettled(path, this.#atMs) ? stamp : `${stamp} ${UNSETTLED}${this.#round}`;
  }

  /** Some file systems cannot tell these names of a source apart: the first one counts. */
  #twinProblem({ kind, source, stage }: EntryLocation, name: string, path: string): string | undefined {
    const key = [source.folder, kind, stage, name.toLowerCase()].join("\n");
    const twin = this.#named.get(key);
    if (twin === undefined) this.#named.set(key, path);
    return twin === undefined
      ? undefined
      : `${path} is not used: it has the same name as ${twin}, or one that differs only in case. Rename one of them.`;
  }
}

/** The folder that a plugin belongs to. */
function baseOf(folder: string): string {
  const parent = dirname(folder);
  return basename(parent) === "plugins" ? dirname(parent) : folder;
}

function fileProblem(path: string, stat: Stats | undefined): string | undefined {
  if (!stat) return `${path} is not used: it is a broken link.`;
  return stat.isFile() ? undefined : `${path} is not used: it is not a regular file.`;
}

/** Settings that cannot be read count: their reader says why. */
function mayNameServers(path: string): boolean {
  if (!statIfThere(path)?.isFile()) return false;
  try {
    const text = readRegularFile(path, { maxBytes: MAX_SETTINGS_BYTES, followLinks: true }).toString("utf8");
    const json = readLenientJson(text);
    return !("value" in json) || namedServers(json.value) !== undefined;
  } catch {
    return true;
  }
}
