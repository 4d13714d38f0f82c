import type { WireProvider } from "../wires/wire-api.ts";

/**
 * A program that replaces a server: one of the user's executables (`executable-program.ts`), or the runner of a model
 * file in a separate process (`packages/gguf`). One `stream` is one request and one reply; the queue, the retry and the
 * ways of calling tools are around it.
 */
export interface ProviderProgram extends WireProvider {
  /** Requests that it handles at once, as far as currently known; absent: no limit. */
  readonly slots?: number;
}
