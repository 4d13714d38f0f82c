import type { WindowRequest } from "@harness/client";
import { copyToTerminal, type EditedText } from "@harness/client/actions";
import type { PictureDeps } from "../../attachments/picture-controller.ts";
import type { InlineScreen } from "../../inline/inline-screen.ts";
import { enterHint } from "../../keymap/field-keys.ts";
import type { Presenter, TerminalModes, TerminalReplies } from "../../render/index.ts";
import { DrawnPictures, type PicturePorts } from "../../render/pictures/drawn-pictures.ts";
import { tellsShiftEnter } from "../../render/terminal-replies.ts";
import type { Store } from "../../state/store.ts";
import { settingOf } from "../settings-follower.ts";
import type { ThemeChoice } from "../theme-choice.ts";
import type { WindowControllerDeps } from "../window-controller.ts";
import { nextLine } from "./next-line.ts";

export type OpenWindowDeps = {
  request: WindowRequest;
  env: Record<string, string | undefined>;
  presenter: Presenter;
  themes: ThemeChoice;
  modes: TerminalModes;
  terminal: {
    /** For output outside of frames. */
    output: { write(data: string): unknown };
    replies: TerminalReplies;
    /** The place to draw an inline window. */
    inline: InlineScreen;
  };
};

/** How a window ends. */
export type WindowEnding = { readonly code: number; readonly bug?: unknown };

/** Called when another program gets the terminal, and when it returns it. */
type TerminalHandover = { lent(): void; back(): void };

/** The terminal for the controllers. */
export function terminalPorts(
  deps: OpenWindowDeps,
  store: Store,
  lending: TerminalHandover,
  end: (ending: WindowEnding) => void,
): Omit<WindowControllerDeps["window"], "marking" | "mountedScopes"> {
  const { presenter, modes, terminal } = deps;
  return {
    clipboard: clipboardOf(deps),
    leave: (code) => end({ code }),
    suspend: () => modes.suspend(),
    redraw: () => presenter.repaint(),
    acknowledge: (processed) => terminal.replies.acknowledge(processed),
    tellsShiftEnter: () => tellsShiftEnter(terminal.replies),
    edit: (text) => editText(deps, lending, text, settingOf(store, "editor")),
    showText: (text) => showText(deps, lending, text),
    copy: (text) => copyToTerminal(text, { write: (data) => terminal.output.write(data), env: deps.env }),
  };
}

/** The text in the terminal's own screen and scrollback, which wraps it without line breaks. */
async function showText(deps: OpenWindowDeps, { lent, back }: TerminalHandover, text: string): Promise<void> {
  const { modes, presenter, terminal } = deps;
  presenter.pause();
  lent();
  try {
    await modes.lend(() => {
      terminal.output.write(`${text.trimEnd()}\n\n── ${enterHint("returns to harness")} ──\n`);
      return nextLine();
    });
  } finally {
    back();
    presenter.resume();
  }
}

/** The editor has the terminal; the window neither draws nor reads meanwhile. */
async function editText(
  { modes, presenter, env }: OpenWindowDeps,
  { lent, back }: TerminalHandover,
  text: string,
  setting: unknown,
): Promise<EditedText> {
  const { editInProgram } = await import("@harness/client/actions");
  presenter.pause();
  lent();
  try {
    return await modes.lend(() => editInProgram(text, { setting, env }));
  } finally {
    back();
    presenter.resume();
  }
}

/** Queries the terminal and writes to it outside of frames. */
export function drawnPictures({ presenter, terminal }: OpenWindowDeps, draw: PicturePorts["draw"]): DrawnPictures {
  const { output, replies, inline } = terminal;
  return new DrawnPictures({
    async graphics() {
      // Printed rows cannot be drawn into later.
      if (inline.isEntered) return undefined;
      return (await import("../../render/pictures/graphics.ts")).askGraphics(replies);
    },
    draw,
    write: (data) => output.write(data),
    changed: () => presenter.requestFrame("stream"),
  });
}

function clipboardOf({ env, terminal: { replies } }: OpenWindowDeps): PictureDeps {
  return {
    isRemote: Boolean(env.SSH_TTY ?? env.SSH_CONNECTION),
    async readTerminalClipboard() {
      const { readTerminalImage } = await import("../../render/terminal-clipboard.ts");
      return readTerminalImage(replies);
    },
  };
}
