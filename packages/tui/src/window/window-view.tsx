import { Box } from "ink";
import { Component, type ReactNode } from "react";
import { Trust } from "../dialogs/trust/trust-view.tsx";
import type { OverlayComponent } from "../overlays/overlay.ts";
import { OverlayPanel } from "../overlays/overlay-view.tsx";
import { screenRow } from "../screens/index.ts";
import type { ScreenView } from "../screens/screen.ts";
import { ActiveScope } from "../widgets/active-scope.tsx";
import { ThemeContext } from "../widgets/themed.tsx";
import { useMounted, useWindow, WindowContext, type WindowContextValue } from "../widgets/use-window.ts";
import { Composer, StatusRow } from "./footer-view.tsx";

export type WindowViews = {
  /** The components of the screens, by name. */
  readonly screens: ReadonlyMap<string, ScreenView>;
  /** The overlays' components, by kind. */
  readonly overlays: ReadonlyMap<string, OverlayComponent>;
};

type WindowProps = WindowViews & {
  readonly parts: WindowContextValue;
  readonly onFailure: (error: Error) => void;
};

/** The window as one tree. If there are too few rows, its end stays in view. */
export function Window({ parts, screens, overlays, onFailure }: WindowProps) {
  return (
    <Boundary onFailure={onFailure}>
      <WindowContext value={parts}>
        <Themes>
          <Frame>
            <Content screens={screens} overlays={overlays} />
            <Composer />
            <StatusRow />
          </Frame>
        </Themes>
      </WindowContext>
    </Boundary>
  );
}

function Themes({ children }: { readonly children: ReactNode }) {
  const theme = useWindow((moment) => moment.theme);
  return <ThemeContext value={theme}>{children}</ThemeContext>;
}

function Frame({ children }: { readonly children: ReactNode }) {
  const { columns, rows } = useWindow(({ state }) => state.size);
  return (
    <Box flexDirection="column" width={columns} height={rows} justifyContent="flex-end" overflow="hidden">
      {children}
    </Box>
  );
}

/** The screen, or what covers it. */
function Content({ screens, overlays }: WindowViews) {
  const isTrustAsked = useMounted(({ trust }) => trust !== undefined);
  const overlay = useMounted((state) => state.overlay?.kind);
  const screen = useMounted((state) => state.screen);
  const Screen = screens.get(screen);
  if (isTrustAsked) return <TrustOver screen={screen} />;
  if (overlay !== undefined) return <OverlayPanel kind={overlay} components={overlays} />;
  return Screen ? <Screen /> : null;
}

/** The trust dialog; the input below it works as usual. */
function TrustOver({ screen }: { readonly screen: string }) {
  const trust = useWindow(({ state }) => state.trust);
  return (
    <>
      {trust ? <Trust dialog={trust} /> : null}
      {screenRow(screen).hasInput ? (
        <>
          <ActiveScope name="session" />
          <ActiveScope name="dialog" />
          <ActiveScope name="conversation" />
        </>
      ) : null}
    </>
  );
}

type BoundaryProps = { readonly onFailure: (error: Error) => void; readonly children: ReactNode };

/** A component that throws must end the window cleanly, not leave a picture of its stack on the screen. */
class Boundary extends Component<BoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(error: Error): void {
    this.props.onFailure(error);
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}
