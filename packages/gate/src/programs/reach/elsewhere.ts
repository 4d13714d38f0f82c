/** Words that name a place, where a name that is known there is expected. */

/** An address, with or without a scheme: `https://host`, `git@host:x`. Names of tests have two colons. */
export function isAddress(word: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(word) || /^[^/\s:@]+@[^/\s:]+:(?!:)/.test(word);
}

/** The text after it is a command: git runs `ext::`, and the program `git-remote-NAME` for `NAME::`. */
export function isTransport(word: string): boolean {
  return /^[\w.-]+::/.test(word);
}

/** A path, which may also name a repository. */
export function isPath(word: string): boolean {
  return /^(?:[/~\\]|\.{1,2}(?:$|\/))/.test(word);
}

/** A repository given as an address, a path, or `host:path` instead of the name of a remote. */
export function isRepository(word: string): boolean {
  return isAddress(word) || isTransport(word) || isPath(word) || /^[^/\s+^][^/\s]*:/.test(word);
}

/** A path that leads out of the folder that it is relative to. */
export function leadsOutOfFolder(word: string): boolean {
  return /^(?:[/~]|\.\.(?:$|\/))/.test(word) || /\/\.\.(?:$|\/)/.test(word);
}
