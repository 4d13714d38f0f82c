import type { WireProvider } from "../wires/wire-api.ts";

/**
 * A program that answers in place of a server: an executable of the person's (`executable-program.ts`), or what runs a
 * model file in a process of its own (`packages/gguf`). One `stream` is one request and one reply; the queue, the retry and
 * the ways of calling tools stand around it.
 */
export interface ProviderProgram extends WireProvider {
  /** Requests that it works on at a time, as far as is known now; absent: as many as come. */
  readonly slots?: number;
}
