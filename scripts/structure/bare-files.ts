import type { SourceFile } from "./source-files.ts";
import { ships } from "./source-files.ts";

/** Packages that handle the user's files. */
const PACKAGES = ["server", "workspace", "extensions", "storage", "mcp", "providers", "gguf", "cli"];

/**
 * Each of these opens any kind of file, waits for a named pipe, reads a device without end, or leaves half a file
 * behind.
 */
const BARE = [
  ...["readFileSync", "readFile", "createReadStream"],
  ...["writeFileSync", "writeFile", "appendFileSync", "appendFile", "createWriteStream"],
  ...["copyFileSync", "copyFile"],
];
/** Replaces a file without the lock of its other writers: fine if nobody reads it before. */
const UNLOCKED = ["writeAtomically"];

/**
 * The user's files are read by `readRegularFile`, changed by a `PrivateFile` (or `textFile`), and created by
 * `writeNewFile`: checked before they are opened, under the common lock, completely or not at all. Files that belong
 * only to harness go through the functions of `own-file.ts`, whose names say so.
 */
export function bareFiles(files: readonly SourceFile[]): string[] {
  return files
    .filter((file) => ships(file) && PACKAGES.includes(file.package))
    .flatMap(({ path, text }) =>
      bareNames(text).map(
        (name) => `${path}: ${name} takes any file as it comes; use readRegularFile, PrivateFile or writeNewFile`,
      ),
    );
}

/** The bare functions that a file imports. */
function bareNames(text: string): string[] {
  const imports = text.matchAll(/^import \{([^}]*)\} from "(node:fs(?:\/promises)?|@harness\/host)";$/gm);
  const whole = text.matchAll(/^import (?:\* as )?\w+ from "(node:fs(?:\/promises)?)";$/gm);
  const named = [...imports].flatMap(([, names = "", from]) => {
    const banned = from === "@harness/host" ? UNLOCKED : BARE;
    return names
      .split(",")
      .map((name) => name.trim().split(" as ")[0] ?? "")
      .filter((name) => banned.includes(name));
  });
  return [...named, ...[...whole].map(([, from]) => `all of ${from}`)];
}
