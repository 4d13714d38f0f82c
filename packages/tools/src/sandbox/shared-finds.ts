import type { RootFinds } from "./sandbox-policy.ts";
import { type WorkspaceFinds, WorkspaceWalk } from "./workspace-walk.ts";

type Steady = { users: number; finds: Promise<RootFinds> };

/** The number of workspaces to remember, folder by folder. */
const MAX_WALKS = 8;

/** The files of roots as one command finds them. */
export type UsedFinds = {
  findsIn(root: string): Promise<RootFinds>;
  /** The current files, to find out what was added since. */
  now(root: string): Promise<WorkspaceFinds>;
  release(): void;
};

/**
 * The files of roots, examined while no command runs in them; during a command the result is shared. The examined files
 * are mounted and cannot be replaced, but a file created by a running command could become a link between the
 * examination and the mount for the next command. Only secrets are searched for each time: an empty file mounted over a
 * link's target does no harm, and a background process may run for days.
 */
export class SharedFinds {
  readonly #steady = new Map<string, Steady>();
  readonly #walks = new Map<string, WorkspaceWalk>();
  readonly #examine: (root: string, walk: WorkspaceWalk) => Promise<RootFinds>;

  constructor(examine: (root: string, walk: WorkspaceWalk) => Promise<RootFinds>) {
    this.#examine = examine;
  }

  /** For one command; call `release` when it has ended. */
  use(): UsedFinds {
    const used: string[] = [];
    return {
      findsIn: (root) => {
        const known = this.#steady.get(root);
        const shared = known ?? { users: 0, finds: this.#examine(root, this.#walk(root)) };
        shared.users++;
        this.#steady.set(root, shared);
        used.push(root);
        return known ? this.#withNewSecrets(root, known.finds) : shared.finds;
      },
      now: (root) => this.#walk(root).look(),
      release: () => {
        for (const root of used.splice(0)) {
          const known = this.#steady.get(root);
          if (known && --known.users === 0) this.#steady.delete(root);
        }
      },
    };
  }

  #walk(root: string): WorkspaceWalk {
    const walk = this.#walks.get(root) ?? new WorkspaceWalk(root);
    this.#walks.delete(root);
    this.#walks.set(root, walk);
    const [oldest] = this.#walks.keys();
    if (this.#walks.size > MAX_WALKS && oldest !== undefined) this.#walks.delete(oldest);
    return walk;
  }

  async #withNewSecrets(root: string, known: Promise<RootFinds>): Promise<RootFinds> {
    const [before, now] = await Promise.all([known, this.#walk(root).look()]);
    return { ...before, secrets: [...new Set([...before.secrets, ...now.secrets])] };
  }
}
