import type { ProcessView } from "@harness/protocol";
import { overlayState } from "../../state/overlay-state.ts";

/** Background processes; undefined while they are being fetched. `nowMs`: the time of the fetch. */
export type ProcessList = {
  readonly kind: "processes";
  readonly processes: readonly ProcessView[] | undefined;
  readonly selected: number;
  /** The process that a second press of the key stops. */
  readonly stopping?: string | undefined;
  readonly nowMs: number;
};

export const processList = overlayState<ProcessList>("processes");
