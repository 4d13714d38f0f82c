// For tests: the painter of a window without a terminal.
import { MountedScopes } from "../src/keymap/mounted-scopes.ts";
import { loadOverlayViews } from "../src/overlays/index.ts";
import { loadInk } from "../src/render/index.ts";
import { TranscriptView } from "../src/render/transcript/index.ts";
import { loadScreenViews } from "../src/screens/index.ts";
import { systemClock } from "../src/state/clock.ts";
import type { Store } from "../src/state/store.ts";
import { DrawingCode } from "../src/text/markdown/drawing-code.ts";
import { textOfRow } from "../src/text/style.ts";
import { darkTheme, type Theme } from "../src/theme/theme.ts";
import { LineFieldInput } from "../src/widgets/line-input.ts";

// Ink first, so that it draws in colours: a colour marks the cursor.
const ink = await loadInk();
const { WindowPainter } = await import("../src/window/window-painter.tsx");
const views = { screens: await loadScreenViews(), overlays: await loadOverlayViews() };

function thrown(error: Error): void {
  throw error;
}

/** Ink that reports each redraw of its tree. */
function watched(onLayout: () => void): typeof ink {
  const render: typeof ink.render = (node, options) => {
    const instance = ink.render(node, options);
    return {
      ...instance,
      rerender(next) {
        onLayout();
        instance.rerender(next);
      },
    };
  };
  return { ...ink, render };
}

export function painterOf(
  store: Store,
  {
    wallMs = 0,
    onFailure = thrown,
    theme = darkTheme,
    onLayout = () => undefined,
    lines = new LineFieldInput(),
    scopes = new MountedScopes(),
  }: {
    wallMs?: number;
    onFailure?: (error: Error) => void;
    theme?: Theme;
    onLayout?: () => void;
    lines?: LineFieldInput;
    scopes?: MountedScopes;
  } = {},
) {
  return new WindowPainter({
    store,
    drawing: { ink: watched(onLayout), views, theme: () => theme },
    content: {
      transcript: new TranscriptView({
        code: new DrawingCode(),
        root: "/work/demo",
        keys: () => store.get().keymap.names,
      }),
      lines,
      scopes,
      scrollback: () => undefined,
    },
    clock: { ...systemClock, now: () => 65_000, wallNow: () => wallMs },
    onChange: () => undefined,
    onFailure,
  });
}

/** The current rows of the window, without trailing blanks. */
export function screenOf({ store }: { readonly store: Store }, wallMs = 0): string[] {
  const painter = painterOf(store, { wallMs });
  const lines = painter.draw().rows.map((row) => textOfRow(row).trimEnd());
  painter.close();
  return lines;
}
