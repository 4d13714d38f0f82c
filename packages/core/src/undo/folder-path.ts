/** A path as changes of files name it: relative to the session's folder, or absolute if it is not below it. */
export function pathInFolder(path: string, cwd: string): string {
  return path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
}

/** The absolute path of such a name. */
export function pathOfName(name: string, cwd: string): string {
  return name.startsWith("/") ? name : `${cwd}/${name}`;
}
