import type { StoreProblem } from "@harness/core";
import type { IndexedSessions } from "./index/session-index.ts";
import type { SessionFolder } from "./session-folder.ts";
import type { SessionFormat } from "./session-format.ts";
import { isSessionId } from "./session-id.ts";
import { type RootOptions, SessionsFolder, type SessionsLocation } from "./sessions-folder.ts";
import { notFound, single } from "./store-problems.ts";

/** Folders with sessions besides the store's own. */
export type SessionsLocations = {
  all(): readonly SessionsLocation[];
  /**
   * Where a new session of this working folder is stored as Markdown files; undefined: as a log in the store's own
   * folder.
   */
  forNew(cwd: string): SessionsLocation | undefined;
};

/** A session on disk, with the folder and format that can read it. */
export type StoredLocation = { sessionId: string; root: SessionsFolder; folder: SessionFolder; format: SessionFormat };

/** The folders with sessions. If two sessions have the same id, the one in the first folder counts. */
export class SessionsFolderSet {
  readonly own: SessionsFolder;
  readonly #places: SessionsLocations | undefined;
  readonly #roots = new Map<string, SessionsFolder>();
  readonly #rootAt: (place: SessionsLocation) => SessionsFolder;

  constructor(root: string, options: Omit<RootOptions, "keys">, places: SessionsLocations | undefined) {
    this.#places = places;
    this.#rootAt = (place) => {
      const known = this.#roots.get(place.path) ?? new SessionsFolder(place, { ...options, keys: root });
      this.#roots.set(place.path, known);
      return known;
    };
    this.own = this.#rootAt({ path: root, isOurs: true });
  }

  /** The folder for a new session of this working folder; undefined: the store's own. */
  forNew(cwd: string): SessionsFolder | undefined {
    const place = this.#places?.forNew(cwd);
    return place && this.#rootAt(place);
  }

  find(name: string): StoredLocation | StoreProblem {
    const found: StoredLocation[] = [];
    for (const root of this.all()) {
      const { found: ids, problem } = root.ids();
      if (problem !== undefined) return { kind: "failed", problem };
      for (const sessionId of name === "" ? [] : ids) {
        if (!sessionId.startsWith(name) || found.some((each) => each.sessionId === sessionId)) continue;
        const folder = root.folder(sessionId);
        const format = root.formatIn(folder);
        if (format) found.push({ sessionId, root, folder, format });
      }
    }
    const wanted = found.find(({ sessionId }) => sessionId === name);
    if (wanted) return wanted;
    const one = single(name, found.map(({ sessionId }) => sessionId).sort());
    return "problem" in one ? one : (found[0] ?? notFound(name));
  }

  /** The session with exactly this id, found without listing all others. */
  at(sessionId: string): StoredLocation | undefined {
    for (const root of isSessionId(sessionId) ? this.all() : []) {
      const folder = root.folder(sessionId);
      const format = root.has(sessionId) ? root.formatIn(folder) : undefined;
      if (format) return { sessionId, root, folder, format };
    }
    return undefined;
  }

  /** The first folder that has anything with this name. */
  withFolder(sessionId: string): SessionsFolder | undefined {
    return isSessionId(sessionId) ? this.all().find((each) => each.has(sessionId)) : undefined;
  }

  /** The store's own folder first. */
  all(): SessionsFolder[] {
    const others = this.#places?.all() ?? [];
    return [...new Set([this.own, ...others.map(this.#rootAt)])];
  }

  /** `cwd`: the folder whose sessions matter most. */
  async indexed(cwd?: string): Promise<IndexedSessions> {
    if (cwd !== undefined) this.#places?.forNew(cwd);
    const stamps = new Map<string, string>();
    const places = new Map<string, string>();
    const roots = this.all();
    const lookedInto = roots.map(({ path }) => path);
    const all: IndexedSessions = { readable: [], stamps, unreadable: [], places, lookedInto };
    const known = new Set<string>();
    for (const root of roots) {
      const { readable, unreadable, problem, stamps: ofRoot } = await root.index.all();
      const isNew = ({ sessionId }: { sessionId: string }) => !known.has(sessionId);
      const [more, bad] = [readable.filter(isNew), unreadable.filter(isNew)];
      all.readable.push(...more);
      all.unreadable.push(...bad);
      for (const { sessionId } of [...more, ...bad]) {
        known.add(sessionId);
        if (root !== this.own) places.set(sessionId, root.path);
      }
      for (const { sessionId } of more) stamps.set(sessionId, ofRoot.get(sessionId) ?? "");
      if (problem !== undefined) all.problem ??= problem;
    }
    return all;
  }
}
