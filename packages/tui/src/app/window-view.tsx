import { Component, type ReactNode } from "react";
import type { ScreenProps, ScreenView } from "../screens/screen.ts";
import type { Theme } from "../theme/theme.ts";
import { ThemeContext } from "../widgets/themed.tsx";

type WindowProps = ScreenProps & {
  readonly screen: ScreenView | undefined;
  readonly theme: Theme;
  readonly onFailure: (error: Error) => void;
};

/** Everything that Ink draws: the screen in view, unless it is covered. */
export function Window({ screen: Screen, theme, onFailure, ...props }: WindowProps) {
  return (
    <Boundary onFailure={onFailure}>
      <ThemeContext value={theme}>{Screen ? <Screen {...props} /> : null}</ThemeContext>
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
