import type { SourceFile } from "./source-files.ts";
import { ships } from "./source-files.ts";

/** Packages that have to do with files of the person. */
const PACKAGES = ["server", "workspace", "extensions", "storage", "mcp", "providers", "gguf", "cli"];

/** Each opens whatever is there, waits for a named pipe, reads a device without end, or leaves half a file behind. */
const BARE = [
  ...["readFileSync", "readFile", "createReadStream"],
  ...["writeFileSync", "writeFile", "appendFileSync", "appendFile", "createWriteStream"],
  ...["copyFileSync", "copyFile"],
];
/** Replaces a file without the lock of those who change it: fine where nobody reads it before. */
const UNLOCKED = ["writeAtomically"];

/**
 * Files of the person are read by `readRegularFile`, changed by a `PrivateFile` (or `textFile`), and made by
 * `writeNewFile`: checked before they are opened, under the common lock, completely or not at all. Files that belong to
 * harness alone go through the functions of `own-file.ts`, whose names say so.
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

/** The names that a file imports from where they are bare. */
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
