import { localTime } from "@harness/protocol";

/** The part of a list that is in view: as many rows as fit, always including the marked one. */
export function listWindow(selected: number, count: number, height: number): { from: number; to: number } {
  const size = Math.max(1, Math.min(height, count));
  const from = Math.max(0, Math.min(count - size, selected - Math.floor(size / 2)));
  return { from, to: Math.min(count, from + size) };
}

/** `just now`, `5 min ago`, `3 h ago`, `2 days ago`, then the date. */
export function ago(at: string, nowMs: number): string {
  const then = Date.parse(at);
  if (Number.isNaN(then)) return "";
  const minutes = Math.floor((nowMs - then) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.floor(hours / 24);
  return days < 30 ? `${days} ${days === 1 ? "day" : "days"} ago` : localTime(at).date;
}

/** `1 turn`, `2 turns`, `10,000 sessions`. */
export function formatCount(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** Keeps the selection on an existing row. */
export function clampSelection(selected: number, count: number): number {
  return Math.max(0, Math.min(count - 1, selected));
}
