import { amount, type IndexProgress } from "@harness/protocol";

/** How far indexing is; undefined while nothing is indexed or paused. */
export function indexingLine(
  progress: IndexProgress | undefined,
  { isPaused }: { isPaused: boolean },
): string | undefined {
  const far = progress && farText(progress);
  const paused = isPaused ? "Indexing is paused: /index resume goes on." : undefined;
  return [far, paused].filter(Boolean).join(" ") || undefined;
}

function farText({ filesDone, filesTotal, vectors }: IndexProgress): string {
  if (vectors) return `${vectors.done.toLocaleString("en-US")} of ${amount(vectors.total, "vector")} are made.`;
  return `${filesDone.toLocaleString("en-US")} of ${amount(filesTotal, "file")} are indexed.`;
}
