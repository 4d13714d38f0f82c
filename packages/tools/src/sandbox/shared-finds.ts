import { type RootFinds, rootFinds } from "./sandbox-policy.ts";

type Steady = { users: number; finds: Promise<RootFinds> };

const steady = new Map<string, Steady>();

/**
 * What roots hold, looked at when no command runs in them; as long as one does, it holds for all others too. What lies
 * there by then is mounted, and cannot be exchanged; what a command has made meanwhile could become a link to somewhere
 * else between a look at it and the mount for the next command.
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
