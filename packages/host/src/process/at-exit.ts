/** Of the process: its exit calls them, and each of them has an owner that can cancel it. */
const cleanups = new Set<() => void>();

/**
 * Calls `cleanup` when this process exits, for any reason that still runs exit handlers; the last one registered comes
 * first. Returns a function that cancels this.
 */
export function atExit(cleanup: () => void): () => void {
  const entry = () => cleanup();
  if (cleanups.size === 0) process.on("exit", runAll);
  cleanups.add(entry);
  return () => {
    cleanups.delete(entry);
    if (cleanups.size === 0) process.off("exit", runAll);
  };
}

function runAll(): void {
  for (const cleanup of [...cleanups].reverse()) {
    try {
      cleanup();
    } catch {
      // The others still have to run.
    }
  }
}
