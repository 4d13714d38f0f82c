/** True if the path is this folder or inside it. By segments, both absolute, without resolving links. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

/** The path relative to the folder, `""` for the folder itself; undefined if it is not inside. */
export function relativeTo(folder: string, path: string): string | undefined {
  if (!isWithin(path, folder)) return undefined;
  return path.slice(folder.length).replace(/^\/+/, "");
}

/** Removes `..`, `.` and doubled slashes from `base` + `path`, by text alone. */
export function resolvePath(base: string, path: string): string {
  const segments: string[] = [];
  for (const each of (path.startsWith("/") ? path : `${base}/${path}`).split("/")) {
    if (each === "..") segments.pop();
    else if (each !== "" && each !== ".") segments.push(each);
  }
  return `/${segments.join("/")}`;
}

export function folderOf(path: string): string {
  const end = path.lastIndexOf("/");
  return end <= 0 ? "/" : path.slice(0, end);
}

/** The innermost of these folders that contains the path; the first if none does. */
export function innermostRoot(path: string, roots: readonly string[]): string {
  const holding = roots.filter((root) => isWithin(path, root)).sort((a, b) => b.length - a.length);
  return holding[0] ?? roots[0] ?? "/";
}
