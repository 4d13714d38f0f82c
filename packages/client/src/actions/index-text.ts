import type { IndexProgress, IndexState } from "@harness/protocol";

const THOUSANDS = new Intl.NumberFormat("en-US");
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** For example `1,234 files in 15,678 chunks`. */
export function indexText({ files, chunks, embedder }: Pick<IndexState, "files" | "chunks" | "embedder">): string {
  const size = `${THOUSANDS.format(files)} ${files === 1 ? "file" : "files"} in ${THOUSANDS.format(chunks)} ${chunks === 1 ? "chunk" : "chunks"}`;
  return embedder === null ? size : `${size}, with vectors of ${embedder}`;
}

/** For example `1,234 of 5,000 files · 812/s · 5 s left`. */
export function indexProgressText({ filesDone, filesTotal, vectors, rate, restMs, isPaused }: IndexProgress): string {
  const [count, total, what] = vectors ? [vectors.done, vectors.total, "vectors"] : [filesDone, filesTotal, "files"];
  const done = `${THOUSANDS.format(count)} of ${THOUSANDS.format(total)} ${what}`;
  if (isPaused) return `${done} · paused`;
  if (vectors?.problem !== undefined) return `${done} · waiting: ${vectors.problem}`;
  const parts = [done];
  if (rate !== undefined) parts.push(`${THOUSANDS.format(Math.round(rate))}/s`);
  if (restMs !== undefined && count < total) parts.push(`${restText(restMs)} left`);
  return parts.join(" · ");
}

/** From 0 to 1: of the files, and then of the vectors. */
export function indexProgressShare({ filesDone, filesTotal, vectors }: IndexProgress): number {
  const [done, total] = vectors ? [vectors.done, vectors.total] : [filesDone, filesTotal];
  return total > 0 ? done / total : 1;
}

/** A bar of a width in columns. `share`: from 0 to 1. */
export function progressBar(share: number, columns: number): string {
  const eighths = Math.round(Math.min(Math.max(share, 0), 1) * columns * EIGHTHS.length);
  const bar = "█".repeat(Math.floor(eighths / EIGHTHS.length)) + (EIGHTHS[eighths % EIGHTHS.length] ?? "");
  return bar.padEnd(columns, "░");
}

function restText(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  return seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
