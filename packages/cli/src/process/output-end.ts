/**
 * Resolves when a pipe has taken all that was written to it, or its reader is gone. Node writes what a pipe has no room
 * for in the background, and `process.exit` drops it.
 */
export async function outputEnd(
  streams: readonly NodeJS.WriteStream[] = [process.stdout, process.stderr],
): Promise<void> {
  await Promise.all(streams.map(written));
}

function written(stream: NodeJS.WriteStream): Promise<void> | undefined {
  if (stream.writableLength === 0 || stream.destroyed) return undefined;
  return new Promise((resolve) => {
    stream.once("error", () => resolve());
    stream.once("close", resolve);
    stream.write("", () => resolve());
  });
}
