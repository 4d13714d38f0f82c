import type { TurnItem } from "@harness/protocol";

type ChangedFile = NonNullable<TurnItem["changes"]>["files"][number];

/** Folders of caches and of installed or built things, and files that a compiler or an interpreter leaves. */
const FOLDERS =
  /(?:^|\/)(?:__pycache__|\.(?:pytest_|mypy_|ruff_)?cache|node_modules|\.gradle|\.tox|\.venv|\.next|target\/(?:debug|release))\//;
const ENDINGS = /\.(?:py[co]|class|o|obj|so|dylib|dll|exe|a|lib|gch|tsbuildinfo)$/i;

/** Files that were written for people come first; caches and binaries, which nobody reads, after them. */
export function apartFromByProducts(files: readonly ChangedFile[]): {
  written: readonly ChangedFile[];
  byProducts: readonly ChangedFile[];
} {
  const isByProduct = (file: ChangedFile) => FOLDERS.test(file.path) || ENDINGS.test(file.path) || isBinary(file);
  return { written: files.filter((file) => !isByProduct(file)), byProducts: files.filter(isByProduct) };
}

/** Only text has lines that were added or removed; a new file without any may be empty. */
function isBinary({ change, added, removed, binary }: ChangedFile): boolean {
  return binary === true || (change === "modify" && added === 0 && removed === 0);
}
