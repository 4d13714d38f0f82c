import type { SourceFile } from "./source-files.ts";
import { ships } from "./source-files.ts";

/** Packages that have to do with files of the person. */
const PACKAGES = ["server", "extensions", "storage", "mcp", "providers", "gguf", "cli"];

/** Each opens whatever is there, waits for a named pipe, reads a device without end, or leaves half a file behind. */
const BARE = [
  ...["readFileSync", "readFile", "createReadStream"],
  ...["writeFileSync", "writeFile", "appendFileSync", "appendFile", "createWriteStream"],
  ...["copyFileSync", "copyFile"],
];
/** Replaces a file without the lock of those who change it: fine where nobody reads it before. */
const UNLOCKED = ["writeAtomically"];

/** Files that nobody else has or changes, by path, with whose they are. */
const OWN: Readonly<Record<string, string>> = {
  "packages/cli/src/headless/prompt-content.ts": "what the person names with --file, a pipe too",
  "packages/cli/src/headless/run-headless.ts": "the answer, to where the person says, /dev/stdout too",
  "packages/cli/src/process/show-manual.ts": "a temporary page",
  "packages/extensions/src/tools/tool-schemas.ts": "a cache by hash, and the hash of a program",
  "packages/gguf/src/runtime/install-runtime.ts": "a new folder of an installation",
  "packages/gguf/src/runtime/runtime-folder.ts": "files that come with harness",
  "packages/server/src/prompts/prompt-folder.ts": "the record of what was written, which can be rebuilt",
  "packages/server/src/sessions/memory-log.ts": "files of a session that leaves nothing behind",
  "packages/storage/src/checkpoints/folder-copy.ts": "the folder of checkpoints, under its lock",
  "packages/storage/src/checkpoints/ignored-before.ts": "a scratch folder of one comparison",
  "packages/storage/src/checkpoints/place-file.ts": "files of the workspace that an undo brings back",
  "packages/storage/src/checkpoints/prune-checkpoints.ts": "the folder of checkpoints, under its lock",
  "packages/storage/src/checkpoints/revert.ts": "the folder of checkpoints, under its lock",
  "packages/storage/src/checkpoints/store-folder.ts": "the folder of checkpoints, under its lock",
  "packages/storage/src/checkpoints/stored-tree.ts": "the folder of checkpoints, under its lock",
  "packages/storage/src/checkpoints/unfinished-revert.ts": "the folder of checkpoints, under its lock",
  "packages/storage/src/policies/change-policies.ts": "a backup, under the lock of the file",
  "packages/storage/src/sessions/jsonl-session-log.ts": "the folder of a session, under its lock",
  "packages/storage/src/sessions/jsonl-store.ts": "the folder of a session, under its lock",
  "packages/storage/src/sessions/meta-file.ts": "the folder of a session, under its lock",
  "packages/storage/src/sessions/session-index.ts": "a list that can be rebuilt",
  "packages/storage/src/worktrees/open-worktrees.ts": "the folder of a session, under its lock",
};

/**
 * Files of the person are read by `readRegularFile`, changed by a `PrivateFile` (or `textFile`), and made by
 * `writeNewFile`: looked at before they are opened, under the lock that all others take, wholly or not at all.
 */
export function bareFiles(files: readonly SourceFile[], own: Readonly<Record<string, string>> = OWN): string[] {
  const found = files
    .filter((file) => ships(file) && PACKAGES.includes(file.package))
    .flatMap(({ path, text }) => bareNames(text).map((name) => ({ path, name })));
  const stale = Object.keys(own).filter((path) => !found.some((each) => each.path === path));
  return [
    ...found
      .filter(({ path }) => !Object.hasOwn(own, path))
      .map(
        ({ path, name }) =>
          `${path}: ${name} takes any file as it comes; use readRegularFile, PrivateFile or writeNewFile`,
      ),
    ...stale.map((path) => `docs/structure/bare-files.ts: ${path} needs no exception any more`),
  ];
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
