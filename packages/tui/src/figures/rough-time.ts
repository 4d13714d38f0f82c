/** `42 s`, `5 min`, `3 h`: how long something has run, if there is little room. */
export function roughTime(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 100) return `${seconds} s`;
  return seconds < 6_000 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`;
}
