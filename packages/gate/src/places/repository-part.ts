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
 * True if a write to the path may be the one that turns a folder into a git folder. Which write is the last, and so
 * asked about, is only known for writes that run one after the other.
 */
export function mayMakeRepository(path: string): boolean {
  return path.split("/").some((segment) => making.has(segment.toLowerCase()));
}

/**
 * True if a write to the path would change a git folder or turn an ordinary folder into one. Git accepts any folder
 * with `HEAD`, `objects` and `refs` (or `commondir` instead of the last two) as a repository, whatever its name: a
 * `.git` file may point to it, and a command run inside it obeys its `config` and `hooks`.
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
