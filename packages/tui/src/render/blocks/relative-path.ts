/** A path relative to the working folder if it is inside it, otherwise unchanged. */
export function relativePath(path: string, root: string): string {
  const folder = root.endsWith("/") ? root : `${root}/`;
  return path.startsWith(folder) && path.length > folder.length ? path.slice(folder.length) : path;
}
