import { Component, type ReactNode } from "react";
import { TrustDialogView } from "../dialogs/trust/trust-dialog.tsx";
import { OverlayView } from "../overlays/overlay-view.tsx";
import type { ScreenProps, ScreenView } from "../screens/screen.ts";
import type { Theme } from "../theme.ts";
import { ThemeContext } from "../widgets/themed.tsx";

type WindowProps = ScreenProps & {
  readonly screen: ScreenView | undefined;
  readonly theme: Theme;
  readonly onFailure: (error: Error) => void;
};

/** Everything that Ink draws. */
export function Window({ screen: Screen, theme, onFailure, ...props }: WindowProps) {
  const { view } = props;
  const { overlay, trust } = view;
  return (
    <Boundary onFailure={onFailure}>
      <ThemeContext value={theme}>
        {trust ? <TrustDialogView dialog={trust} view={view} /> : null}
        {overlay && !trust ? <OverlayView view={view} overlay={overlay} /> : null}
        {overlay || trust || !Screen ? null : <Screen {...props} />}
      </ThemeContext>
    </Boundary>
  );
}

type BoundaryProps = { readonly onFailure: (error: Error) => void; readonly children: ReactNode };

/** A component that throws must end the window in order, not leave a picture of its stack on the screen. */
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
