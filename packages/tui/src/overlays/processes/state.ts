import type { ProcessView } from "@harness/protocol";
import { overlayState } from "../../state/overlay-state.ts";

/** Processes that stay; undefined while they are being fetched. `nowMs`: when they were. */
export type ProcessList = {
  readonly kind: "processes";
  readonly processes: readonly ProcessView[] | undefined;
  readonly selected: number;
  /** The process that another press of the key stops. */
  readonly stopping?: string | undefined;
  readonly nowMs: number;
};

export const processList = overlayState<ProcessList>("processes");
