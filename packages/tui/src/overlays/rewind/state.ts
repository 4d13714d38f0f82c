import type { RewindTarget } from "@harness/protocol";
import { overlayState } from "../../state/overlay-state.ts";

/** A place to rewind to, and what changed in the files between it and the next place. */
export type RewindPoint = {
  /** Id of a message or of a checkpoint. */
  readonly id: string;
  /** A checkpoint is inside a turn: only the files can be restored to it. */
  readonly kind: "message" | "checkpoint";
  /** The whole message. Untrusted: the user may have pasted it. Empty for a checkpoint. */
  readonly text: string;
  /** The row's text: the message without its quotes; untrusted too. */
  readonly title: string;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
};

/**
 * `chosen`: the marked place was chosen, and the picker asks what to restore. `target`: the marked one of its targets.
 * `working`: the server is restoring it.
 */
export type RewindPicker = {
  readonly kind: "rewind";
  readonly places: readonly RewindPoint[];
  readonly selected: number;
  readonly chosen: boolean;
  readonly target?: number;
  readonly working: boolean;
};

export const rewindPicker = overlayState<RewindPicker>("rewind");

/** The parts that can be restored at a place, the most first. */
export function rewindTargets({ kind }: RewindPoint): readonly RewindTarget[] {
  return kind === "message" ? ["both", "conversation", "files"] : ["files"];
}
