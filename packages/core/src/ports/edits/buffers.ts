/** Whether the text of open files is given, and whether one is taken. */
export type BufferOffer = { read: boolean; write: boolean };

/**
 * `unknown`: the client has no text of the file; `silent`: it did not answer in time; `too_large`: there is more than is
 * taken; `failed`: any other error.
 */
export type MissingBuffer = { missing: "unknown" | "silent" | "too_large" | "failed" };

/** Why a text was not taken, as the beginning of a sentence; `isUnknown`: it may have been, or may still be. */
export type BufferFailure = { problem: string; isUnknown: boolean };

/** The files that a client of the session has open in its editor, by their real paths. No method rejects. */
export interface ClientBuffers {
  /** The current offer; without one nothing is asked. */
  readonly offer: BufferOffer;
  read(path: string, signal: AbortSignal): Promise<{ text: string } | MissingBuffer>;
  /** Resolves when the client has taken the text, and says that it has saved it. */
  write(path: string, text: string, signal: AbortSignal): Promise<BufferFailure | undefined>;
}

/** Files around a revert. `left`: those whose unsaved text could not be saved. */
export type SettledBuffers = {
  left: readonly string[];
  /** Shows the files in the editor as they are on disk now, except those that were changed there in the meantime. */
  show(): Promise<void>;
};

/** Texts of files that are in an editor and not on disk. No method rejects. */
export interface UnsavedBuffers {
  /** False: there is no editor, so nothing is unsaved. */
  readonly isOffered: boolean;
  /** The bytes that saving would write, for those of the files that are not saved. */
  find(paths: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Saves what is unsaved in these files, before they are reverted on disk. */
  settle(paths: readonly string[]): Promise<SettledBuffers>;
}
