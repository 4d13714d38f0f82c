import type { ContextReport } from "@harness/protocol";
import { overlayState } from "../../state/overlay-state.ts";

/** The contents of a context window; without either field they are still being counted. */
export type ContextSheet = {
  readonly kind: "context";
  readonly scroll: number;
  readonly report?: ContextReport;
  readonly problem?: string;
};

export const contextSheet = overlayState<ContextSheet>("context");
