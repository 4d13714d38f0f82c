import type { WindowRequest } from "@harness/client";
import { progress } from "../attention/terminal-signals.ts";
import { InlineScreen } from "../inline/inline-screen.ts";
import { type InputEvent, InputParser, typedAhead } from "../input/index.ts";
import {
  ASK_BACKGROUND,
  colourLevel,
  Presenter,
  TerminalModes,
  TerminalReplies,
  unfitTerminal,
  wantsKeys,
} from "../render/index.ts";
import { deletedBack, emptyComposer, withBuffer } from "../state/composer.ts";
import { sanitise } from "../text/sanitise.ts";
import { firstFrame } from "../window/first-frame.ts";
import type { WindowEnding } from "./terminal/terminal-ports.ts";
import { ThemeChoice } from "./theme-choice.ts";
import type { OpenWindow } from "./window.tsx";

const SIGNAL_PATIENCE_MS = 1_500;
const ERASE_ROW = "\r\u001b[K";

/**
 * Opens the window and resolves to the exit code when it is closed. Draws at once from what is already loaded; keys
 * typed before the rest has loaded are shown, kept and handled afterwards. After an uncaught error the terminal is
 * restored first (by the modes), then the server is asked to end.
 */
export async function runWindow(request: WindowRequest): Promise<number> {
  const { stdin: input, stdout: output, env } = process;
  const unfit = unfitTerminal(input, output, env.TERM);
  if (unfit) return say(2, `harness: ${unfit} Without a window: harness run "what to do".`);
  const themes = new ThemeChoice(env, {
    changed: (theme) => presenter.show(theme),
    askBackground: () => output.write(ASK_BACKGROUND),
  });
  const replies = new TerminalReplies((data) => output.write(data), themes);
  const presenter = new Presenter({ output, theme: themes.theme, colours: colourLevel(env) });
  const early = earlyKeys(() => presenter.requestFrame("key"));
  let window: OpenWindow | undefined;
  let requestedEnding: WindowEnding | undefined;
  const end = (ending: WindowEnding): void => {
    requestedEnding ??= ending;
    window?.end(ending);
  };
  const guarded = (run: () => void): void => guard(run, end);
  const parser = new InputParser({
    onEvent: (event) => (event.type === "reply" ? replies.take(event.text) : (window ?? early).take(event)),
  });
  const modes = new TerminalModes({
    input,
    output,
    process,
    onInput: (bytes) => guarded(() => parser.push(ahead.read(bytes))),
    onResize: () =>
      guarded(() => {
        presenter.resize();
        window?.resized();
      }),
    onResume: (how) => (window ? window.resumed(how) : presenter.repaint()),
    ...{ undo: progress("none", env), hasKeys: wantsKeys(env.HARNESS_KEYBOARD_PROTOCOL, env) },
    onSignal: (code) => exitSoon(code, () => end({ code })),
  });
  const uncaught = (bug: unknown): void => {
    presenter.stop();
    end({ code: 1, bug });
  };
  process.on("uncaughtException", uncaught);
  const ahead = readingAhead();
  const inline = InlineScreen.opened({ presenter, modes, env }, request);
  modes.enter();
  replies.probe();
  presenter.start(() => inline.fitted(firstFrame(presenter.size, early.composer(), request)));

  const ending = await live();
  presenter.stop();
  await modes.leave();
  process.off("uncaughtException", uncaught);
  if (ending.bug !== undefined) return say(ending.code, bugText(ending.bug));
  output.write([ahead.echoErased(), ...(window?.farewell() ?? []).map((line) => `${line}\n`)].join(""));
  return ending.code;

  async function live(): Promise<WindowEnding> {
    try {
      const { openWindow } = await import("./window.tsx");
      window = await openWindow({
        request,
        env,
        presenter,
        themes,
        modes,
        terminal: { output, replies, inline },
      });
      if (requestedEnding) window.end(requestedEnding);
      for (const event of early.taken()) guarded(() => window?.take(event));
      void modes.watch();
      return await window.ended;
    } catch (bug) {
      return { code: 1, bug };
    }
  }
}

/** A bug ends the window in order. */
function guard(run: () => void, end: (ending: WindowEnding) => void): void {
  try {
    run();
  } catch (bug) {
    end({ code: 1, bug });
  }
}

/**
 * After a signal the process ends within two seconds, whatever server and terminal do; leaving restores the terminal.
 */
function exitSoon(code: number, end: () => void): void {
  end();
  setTimeout(() => process.exit(code), SIGNAL_PATIENCE_MS).unref();
}

/** Input read in this turn of the event loop was typed before the window was open: the terminal has echoed it. */
function readingAhead() {
  let isAhead = true;
  let isEchoed = false;
  setImmediate(() => {
    isAhead = false;
  });
  return {
    read(bytes: Uint8Array): Uint8Array {
      if (!isAhead) return bytes;
      isEchoed = true;
      return typedAhead(bytes);
    },
    /** For the shell's screen, whose last row ends with the echo. */
    echoErased: () => (isEchoed ? ERASE_ROW : ""),
  };
}

/** Keys typed while the window loads: text is shown in the first frame, and all keys are kept in order. */
function earlyKeys(changed: () => void) {
  const events: InputEvent[] = [];
  let composer = emptyComposer;
  return {
    composer: () => composer,
    taken: () => events.splice(0),
    take(event: InputEvent): void {
      events.push(event);
      if (event.type !== "key") return;
      if (event.text !== "") composer = withBuffer(composer, composer.buffer.insert(event.text));
      else if (event.name === "backspace") composer = deletedBack(composer);
      changed();
    },
  };
}

function bugText(bug: unknown): string {
  const error = bug instanceof Error ? bug : new Error(String(bug));
  return `harness: the window failed: ${error.message}\nThe session is stored. Please report this:\n${error.stack ?? ""}`;
}

/** Sanitised, because an error may quote untrusted text. */
function say(code: number, text: string): number {
  process.stderr.write(`${sanitise(text)}\n`);
  return code;
}
