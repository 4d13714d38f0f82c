import type { ReactElement } from "react";
import type { WindowHost } from "../client/window-host.ts";
import type { KeyScope, NamedScope } from "../keymap/scope.ts";
import type { SessionController } from "../session/session-controller.ts";
import type { Overlay } from "../state/app-state.ts";
import type { ChromeView } from "../state/chrome-view.ts";
import type { OverlayState } from "../state/overlay-state.ts";
import type { Row } from "../text/index.ts";

/** Rows of an overlay that are computed from its state. */
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
export type OverlayHost = WindowHost & { readonly session: SessionController; readonly theme: ThemeInUse };

/** The theme according to the settings. */
type ThemeInUse = {
  used(): string;
  /** Shows another before the settings are read again. Returns what overrides the person's own value, if anything does. */
  apply(name: string): string | undefined;
};

/** An open window's overlay; other code opens it through its additional methods. */
type OverlayController = NamedScope & {
  /** Receives the keys while the overlay is in view. */
  readonly take: KeyScope;
};

/** The whole screen of an overlay that consists only of rows. */
export type OverlayRows = (view: ChromeView) => readonly Row[];

/** Everything the window knows about an overlay: its entry in the table of `overlays/index.ts`, under its `kind`. */
export type OverlayRow<C extends OverlayController = OverlayController> = {
  readonly rows?: OverlayRows;
  /** Its component, loaded after Ink, if it needs more than rows. */
  readonly view?: () => Promise<OverlayComponent>;
  readonly create: (host: OverlayHost) => C;
};
