/**
 * Entries at the top of a git folder that make git run things, or that make a folder a git folder
 * (gitrepository-layout(5)).
 */
const parts: ReadonlySet<string> = new Set(
  "head config config.worktree objects refs hooks info packed-refs commondir worktrees modules".split(" "),
);

/** Entries that together make a folder a git folder. */
const making: ReadonlySet<string> = new Set(["head", "objects", "refs", "commondir"]);

/**
 * Could a write to the path be the one that makes a folder a git folder? Which one is the last, and asked about, is known
 * only of writes that come one after the other.
 */
export function mayMakeRepository(path: string): boolean {
  return path.split("/").some((segment) => making.has(segment.toLowerCase()));
}

/**
 * Would a write to the path change a git folder, or make an ordinary folder one? Git takes any folder for a repository
 * that has `HEAD`, `objects` and `refs` (or `commondir` in place of these two), whatever it is called: a `.git` file may
 * point to it, and a command that only stands in it does what its `config` and its `hooks` say.
 */
export function isRepositoryPart(path: string, exists: (path: string) => boolean): boolean {
  const segments = path.split("/").filter(Boolean);
  return segments.some((segment, at) => {
    const part = segment.toLowerCase();
    if (!parts.has(part)) return false;
    const folder = segments
      .slice(0, at)
      .map((each) => `/${each}`)
      .join("");
    const has = (name: string) => part === name.toLowerCase() || exists(`${folder}/${name}`);
    return has("HEAD") && ((has("objects") && has("refs")) || has("commondir"));
  });
}
