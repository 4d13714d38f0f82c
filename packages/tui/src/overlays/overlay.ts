import type { ReactElement } from "react";
import type { WindowHost } from "../client/window-host.ts";
import type { KeyScope, NamedScope } from "../keymap/scope.ts";
import type { SessionController } from "../session/session-controller.ts";
import type { Overlay } from "../state/app-state.ts";
import type { ChromeView } from "../state/chrome-view.ts";
import type { OverlayState } from "../state/overlay-state.ts";
import type { Row } from "../text/index.ts";

/** Rows of an overlay, which needs its state for them. */
export function rowsOf<S extends Overlay>(
  own: OverlayState<S>,
  draw: (overlay: S, view: ChromeView) => readonly Row[],
): OverlayRows {
  return (view) => {
    const overlay = own.of(view);
    return overlay ? draw(overlay, view) : [];
  };
}

export type OverlayComponent = () => ReactElement | null;

/** Everything an overlay may use. */
export type OverlayHost = WindowHost & { readonly session: SessionController };

/** An overlay of a window that is open; others open it by what it has besides. */
type OverlayController = NamedScope & {
  /** Has the keyboard while the overlay is in view. */
  readonly take: KeyScope;
};

/** The whole screen, of an overlay that is rows and nothing else. */
export type OverlayRows = (view: ChromeView) => readonly Row[];

/** Everything the window knows of an overlay: its row in the table of `overlays/index.ts`, under its `kind`. */
export type OverlayRow<C extends OverlayController = OverlayController> = {
  readonly rows?: OverlayRows;
  /** Its component, loaded after Ink, where it is more than rows. */
  readonly view?: () => Promise<OverlayComponent>;
  readonly create: (host: OverlayHost) => C;
};
