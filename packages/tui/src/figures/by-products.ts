import type { TurnItem } from "@harness/protocol";
import { isGeneratedPath } from "@harness/protocol/text";

type ChangedFile = NonNullable<TurnItem["changes"]>["files"][number];

/** Files that were written for people come first; caches and binaries, which nobody reads, after them. */
export function apartFromByProducts(files: readonly ChangedFile[]): {
  written: readonly ChangedFile[];
  byProducts: readonly ChangedFile[];
} {
  const isByProduct = (file: ChangedFile) => isGeneratedPath(file.path) || isBinary(file);
  return { written: files.filter((file) => !isByProduct(file)), byProducts: files.filter(isByProduct) };
}

/** Only text has lines that were added or removed; a new file without any may be empty. */
function isBinary({ change, added, removed, binary }: ChangedFile): boolean {
  return binary === true || (change === "modify" && added === 0 && removed === 0);
}
