import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { realPathOrSame } from "@harness/host";
import type { ConfigPaths, SessionsLocation, SessionsLocations } from "@harness/storage";
import { sessionsPath } from "../system/sessions-path.ts";
import type { Workspaces } from "../workspaces.ts";

type SessionLocationsDeps = {
  configPaths: Pick<ConfigPaths, "conversations" | "programHome">;
  machine: { cwd: string; env: Readonly<Record<string, string | undefined>> };
  workspaces: Pick<Workspaces, "at">;
};

/**
 * The folders with Markdown sessions: `HARNESS_SESSIONS`, the nearest `.harness/sessions` of folders that the user trusts,
 * and `sessions` in their own `.harness`.
 */
export class SessionLocations implements SessionsLocations {
  readonly #deps: SessionLocationsDeps;
  readonly #home: SessionsLocation;
  /** Programs that harness starts get it with the folder of logs, where none of these are. */
  readonly #named: SessionsLocation | undefined;
  readonly #found = new Map<string, SessionsLocation>();

  constructor(deps: SessionLocationsDeps) {
    this.#deps = deps;
    const { configPaths, machine } = deps;
    this.#home = { path: join(configPaths.programHome, "sessions"), isOurs: true };
    const named = sessionsPath(machine);
    if (named !== undefined && realPathOrSame(named) !== realPathOrSame(configPaths.conversations))
      this.#named = this.#home.path === named ? this.#home : { path: named, isOurs: false };
  }

  all(): SessionsLocation[] {
    const own = this.#nearest(this.#deps.machine.cwd);
    return [this.#named, own, ...this.#found.values(), this.#home].filter((each) => each !== undefined);
  }

  forNew(cwd: string): SessionsLocation | undefined {
    const near = this.#named ?? this.#nearest(cwd);
    if (near) return near;
    return this.#deps.workspaces.at(cwd).settings.values.session_format === "markdown" ? this.#home : undefined;
  }

  #nearest(cwd: string): SessionsLocation | undefined {
    for (let folder = realPathOrSame(cwd); ; folder = dirname(folder)) {
      const path = join(folder, ".harness", "sessions");
      if (path !== this.#home.path && isOwnFolder(dirname(path)) && isOwnFolder(path)) {
        if (!this.#isTrusted(folder)) return undefined;
        const known = this.#found.get(path) ?? { path, isOurs: false };
        this.#found.set(path, known);
        return known;
      }
      if (dirname(folder) === folder) return undefined;
    }
  }

  #isTrusted(folder: string): boolean {
    return ["nothing", "trusted", "session"].includes(this.#deps.workspaces.at(folder).safety.trust.state());
  }
}

/** Not a link, which could lead anywhere. */
function isOwnFolder(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}
