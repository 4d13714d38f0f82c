/** A path as people say it: relative to the folder where they work, when it lies in it. */
export function relativePath(path: string, root: string): string {
  const folder = root.endsWith("/") ? root : `${root}/`;
  return path.startsWith(folder) && path.length > folder.length ? path.slice(folder.length) : path;
}
