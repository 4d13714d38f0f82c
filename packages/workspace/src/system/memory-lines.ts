import type { LogFile } from "@harness/storage";

const EVERY_MS = 10_000;
const MB = 1_000_000;

type MemoryUse = Pick<NodeJS.MemoryUsage, "rss" | "heapUsed" | "heapTotal" | "external">;

/**
 * With `HARNESS_MEMORY_LOG=1`, logs the server's memory on start and every ten seconds, for the user searching for a
 * leak.
 */
export function startMemoryLines(
  env: Readonly<Record<string, string | undefined>>,
  log: Pick<LogFile, "write">,
  { used = process.memoryUsage, every = everyMs }: { used?: () => MemoryUse; every?: (run: () => void) => void } = {},
): void {
  if (!/^(1|true|yes|on)$/i.test(env.HARNESS_MEMORY_LOG ?? "")) return;
  const note = (): void => log.write("info", "memory", memoryText(used()));
  note();
  every(note);
}

function everyMs(run: () => void): void {
  setInterval(run, EVERY_MS).unref();
}

function memoryText({ rss, heapUsed, heapTotal, external }: MemoryUse): string {
  const [all, heap, room, outside] = [rss, heapUsed, heapTotal, external].map((bytes) => (bytes / MB).toFixed(1));
  return `${all} MB in all, ${heap} of ${room} MB heap, ${outside} MB outside of it`;
}
