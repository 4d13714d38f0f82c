import type { GitCounts, GitSilence, Workspace } from "@harness/workspace";
import { SLOW_GIT } from "./hud-parts.ts";

/** The shortest pause between two looks at files changed from outside, and the pause as a multiple of git's time. */
const MIN_PAUSE_MS = 400;
const PAUSE_SHARE = 10;

/** The part of a workspace that git is asked about. */
export type FollowedFolder = Pick<Workspace, "folder"> & {
  readonly files: Pick<Workspace["files"], "gitCounts" | "list">;
};

/** After this long a git that says nothing was given up. */
const SLOW_MS = 4_000;

/** git's view of a folder, and when to ask for it again. */
export class GitFollower {
  readonly #workspace: FollowedFolder;
  readonly #onChange: () => void;
  #counts: GitCounts | GitSilence | undefined;
  #isOld = true;
  /** How long git took the last time, and when that was. */
  #took = { ms: 0, atMs: 0 };
  /** Runs after files were changed from outside. */
  #outside: NodeJS.Timeout | undefined;
  /** Stops watching the repository; undefined until it is watched. */
  #unwatch: (() => void) | undefined;
  #isClosed = false;

  /** `onChange`: files were changed, by whom it may be. git takes at most a tenth of the time, however often that is. */
  constructor(workspace: FollowedFolder, onChange: () => void) {
    this.#workspace = workspace;
    this.#onChange = onChange;
  }

  /** Files may have changed: git is asked again by the next `read`. */
  outdate(): void {
    this.#isOld = true;
  }

  /** Begins to watch the repository, and asks git if what it said is old. */
  async read(): Promise<GitCounts | GitSilence | undefined> {
    this.#watch();
    if (this.#isOld) {
      this.#isOld = false;
      const startedAt = performance.now();
      const counts = await this.#workspace.files.gitCounts();
      this.#took = { ms: performance.now() - startedAt, atMs: performance.now() };
      this.#counts = counts ?? (this.#took.ms >= SLOW_MS ? SLOW_GIT : undefined);
    }
    return this.#counts;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#outside);
    this.#unwatch?.();
  }

  #watch(): void {
    if (this.#unwatch) return;
    this.#unwatch = () => undefined;
    const { files, folder } = this.#workspace;
    void files.list
      .watch(folder, () => this.#changed())
      .then((unwatch) => {
        if (this.#isClosed) unwatch();
        else this.#unwatch = unwatch;
      });
  }

  #changed(): void {
    if (this.#isClosed || this.#outside) return;
    const { ms, atMs } = this.#took;
    const wait = Math.max(0, atMs + Math.max(MIN_PAUSE_MS, PAUSE_SHARE * ms) - performance.now());
    this.#outside = setTimeout(() => {
      this.#outside = undefined;
      this.#isOld = true;
      this.#onChange();
    }, wait).unref();
  }
}
