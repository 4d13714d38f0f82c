import type { IndexedFolder } from "../methods/code/code-index.ts";
import { amount, byteSize } from "./amount.ts";
import { visibleText } from "./visible-text.ts";

/** For example `docs  /home/me/docs  12 files in 40 chunks, 80 kB, up to date`. */
export function indexedFolderLine({ folder, kind, name, isMissing, index }: IndexedFolder): string {
  const label = name ?? { workspace: "this folder", additional: "additional folder", collection: "collection" }[kind];
  return [visibleText(label), visibleText(folder), stateOf({ isMissing, index })].join("  ");
}

function stateOf({ isMissing, index }: Pick<IndexedFolder, "isMissing" | "index">): string {
  if (isMissing) return "is not there now";
  if (!index) return "not indexed yet";
  const { files, chunks, sizeBytes, fresh } = index;
  return `${amount(files, "file")} in ${amount(chunks, "chunk")}, ${byteSize(sizeBytes)}, ${fresh ? "" : "not "}up to date`;
}
