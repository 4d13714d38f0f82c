import { Component, type ReactElement, type ReactNode } from "react";
import { TrustCard } from "../dialogs/trust/trust-dialog.tsx";
import { ModelPicker } from "../overlays/models/model-picker.tsx";
import { RewindPicker } from "../overlays/rewind/rewind-picker.tsx";
import { Sheet } from "../overlays/sheets/sheet.tsx";
import { Chat } from "../screens/chat/view.tsx";
import { History } from "../screens/history/view.tsx";
import { Home } from "../screens/home/view.tsx";
import type { ScreenProps } from "../screens/screen.ts";
import type { ScreenId } from "../screens/screen-rows.ts";
import { Settings } from "../screens/settings/view.tsx";
import type { Overlay } from "../state/app-state.ts";
import type { Theme } from "../theme.ts";
import { ThemeContext } from "../widgets/themed.tsx";

/** A component a row of `screen-rows.ts`: a screen without one does not compile. */
const screens: Record<ScreenId, (props: ScreenProps) => ReactElement> = {
  home: Home,
  chat: Chat,
  settings: Settings,
  history: History,
};

type WindowProps = ScreenProps & { readonly theme: Theme; readonly onFailure: (error: Error) => void };

/** Everything that Ink draws. */
export function Window({ theme, onFailure, ...props }: WindowProps) {
  const { view } = props;
  const { overlay, screen, trust } = view;
  const Screen = screens[screen];
  return (
    <Boundary onFailure={onFailure}>
      <ThemeContext value={theme}>
        {trust ? <TrustCard dialog={trust} view={view} /> : null}
        {overlay && !trust ? <OverlayView view={view} overlay={overlay} /> : null}
        {overlay || trust ? null : <Screen {...props} />}
      </ThemeContext>
    </Boundary>
  );
}

function OverlayView({ view, overlay }: { readonly view: ScreenProps["view"]; readonly overlay: Overlay }) {
  if (overlay.kind === "models") return <ModelPicker view={view} picker={overlay} />;
  if (overlay.kind === "rewind") return <RewindPicker view={view} picker={overlay} />;
  return <Sheet view={view} sheet={overlay} />;
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
