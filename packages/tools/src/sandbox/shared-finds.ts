import { type RootFinds, rootFinds } from "./sandbox-policy.ts";

type Steady = { users: number; finds: Promise<RootFinds> };

const steady = new Map<string, Steady>();

/**
 * The files of roots, examined when no command runs in them; while one does, the result is shared. The files examined
 * are mounted and cannot be replaced; a file created by a running command could become a link between the examination
 * and the mount for the next command.
 */
export function sharedFinds(): { findsIn(root: string): Promise<RootFinds>; release(): void } {
  const used: string[] = [];
  return {
    findsIn(root) {
      const known = steady.get(root) ?? { users: 0, finds: rootFinds(root) };
      known.users++;
      steady.set(root, known);
      used.push(root);
      return known.finds;
    },
    release() {
      for (const root of used.splice(0)) {
        const known = steady.get(root);
        if (known && --known.users === 0) steady.delete(root);
      }
    },
  };
}
