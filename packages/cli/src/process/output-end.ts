/** A program that reads the output and not the notes must not wait for ever. */
const NOTES_MS = 2_000;

/**
 * Resolves when pipes have taken all that was written to them, or their readers are gone. Node writes what a pipe has no
 * room for in the background, and `process.exit` drops it.
 */
export async function outputEnd(): Promise<void> {
  const { stdout, stderr } = process;
  await Promise.all([written(stdout), Promise.race([written(stderr), noteTime()])]);
}

/** Promises for timers would be one more of Node's modules to load at every start. */
const noteTime = () => new Promise<void>((resolve) => void setTimeout(resolve, NOTES_MS).unref());

function written(stream: NodeJS.WriteStream): Promise<void> | undefined {
  if (stream.writableLength === 0 || stream.destroyed) return undefined;
  return new Promise((resolve) => {
    stream.once("error", () => resolve());
    stream.once("close", resolve);
    stream.write("", () => resolve());
  });
}
