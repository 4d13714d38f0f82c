import type { RootFinds } from "./sandbox-policy.ts";

type Steady = { users: number; finds: Promise<RootFinds> };

/**
 * The files of roots, examined when no command runs in them; while one does, the result is shared. The files examined
 * are mounted and cannot be replaced; a file created by a running command could become a link between the examination
 * and the mount for the next command. Only secrets are looked for each time: an empty file over whatever a link leads to
 * does no harm, and a process that stays may run for days.
 */
export class SharedFinds {
  readonly #steady = new Map<string, Steady>();
  readonly #examine: (root: string) => Promise<RootFinds>;

  constructor(examine: (root: string) => Promise<RootFinds>) {
    this.#examine = examine;
  }

  /** For one command; `release` is called when it has ended. */
  use(): { findsIn(root: string): Promise<RootFinds>; release(): void } {
    const used: string[] = [];
    return {
      findsIn: (root) => {
        const known = this.#steady.get(root);
        const shared = known ?? { users: 0, finds: this.#examine(root) };
        shared.users++;
        this.#steady.set(root, shared);
        used.push(root);
        return known ? this.#withNewSecrets(root, known.finds) : shared.finds;
      },
      release: () => {
        for (const root of used.splice(0)) {
          const known = this.#steady.get(root);
          if (known && --known.users === 0) this.#steady.delete(root);
        }
      },
    };
  }

  async #withNewSecrets(root: string, known: Promise<RootFinds>): Promise<RootFinds> {
    const [before, now] = await Promise.all([known, this.#examine(root)]);
    return { ...before, secrets: [...new Set([...before.secrets, ...now.secrets])] };
  }
}
