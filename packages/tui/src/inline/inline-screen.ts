import type { Frame } from "../render/frame.ts";
import type { Presenter, TerminalModes } from "../render/index.ts";
import { EMPTY_ROW } from "../text/index.ts";
import { InlinePainter, InlineRegion, reflowOf } from "./inline-painter.ts";

/** The maximum share of the terminal for an inline window, and its minimum height. */
const SHARE = 0.6;
const MIN_ROWS = 16;

type InlineScreenDeps = {
  presenter: Presenter;
  modes: TerminalModes;
  env: Readonly<Record<string, string | undefined>>;
};

/** The inline window: below the terminal's output, in as few rows as it needs. */
export class InlineScreen {
  readonly #deps: InlineScreenDeps;
  #isEntered = false;

  constructor(deps: InlineScreenDeps) {
    this.#deps = deps;
  }

  /** Entered at once if the command line asks for it. */
  static opened(deps: InlineScreenDeps, { inline }: { inline?: boolean }): InlineScreen {
    const screen = new InlineScreen(deps);
    if (inline) screen.enter();
    return screen;
  }

  get isEntered(): boolean {
    return this.#isEntered;
  }

  enter(): void {
    if (this.#isEntered) return;
    this.#isEntered = true;
    const { presenter, modes, env } = this.#deps;
    const region = new InlineRegion({ reflow: reflowOf(env) });
    modes.drawInline({ erase: () => region.erase(presenter.size.columns) });
    presenter.paintWith((options) => new InlinePainter(options, region));
  }

  /** The first frame, as the screen needs it. */
  fitted(frame: Frame): Frame {
    return this.#isEntered ? lastRows(frame) : frame;
  }

  /** The size that the window is laid out for. A dialog may take all rows. */
  sizeFor({ asks }: { asks: boolean }): { columns: number; rows: number } {
    const { columns, rows } = this.#deps.presenter.size;
    if (!this.#isEntered) return { columns, rows };
    const share = asks ? rows : Math.max(MIN_ROWS, Math.floor(rows * SHARE));
    return { columns, rows: Math.max(1, Math.min(rows - 1, share)) };
  }
}

/** Only the rows at the end of a frame, from the input on. */
function lastRows({ rows, cursor }: Frame): Frame {
  const from = rows.lastIndexOf(EMPTY_ROW) + 1;
  return { rows: rows.slice(from), cursor: cursor && { x: cursor.x, y: Math.max(0, cursor.y - from) } };
}
