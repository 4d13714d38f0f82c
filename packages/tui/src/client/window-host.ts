import type { SessionServer, WindowRequest } from "@harness/client";
import type { LineEditor } from "../input/line-editor.ts";
import type { WindowClock } from "../state/clock.ts";
import type { Store } from "../state/store.ts";

/** The shared tools of a window's parts. */
export type WindowHost = {
  readonly store: Store;
  readonly server: SessionServer & Required<Pick<SessionServer, "newId">>;
  readonly clock: WindowClock;
  readonly request: Omit<WindowRequest, "server">;
  /** Edits a plain line in the field that shows it. */
  readonly lines: LineEditor;
};
