import type { TextBuffer } from "../input/index.ts";
import type { VimState } from "./vim-state.ts";

/** The search through the transcript in view. Matches are counted from the newest; `at` is 0 until one was gone to. */
export type FindState = {
  readonly query: TextBuffer;
  /** The mode of vim's keys in the query. */
  readonly vim: VimState | undefined;
  /** Keys change the query; otherwise they go from match to match. */
  readonly typing: boolean;
  readonly total: number;
  readonly at: number;
  /** Older messages are still being searched. */
  readonly searching: boolean;
};
