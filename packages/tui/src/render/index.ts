/**
 * The presenter: rows in, as few bytes as possible out. No React here; Ink is only one maker of rows.
 *
 *   const presenter = new Presenter({ output: process.stdout, theme: darkTheme, colours: colourLevel(process.env) });
 *   const modes = new TerminalModes({ input: process.stdin, output: process.stdout, process, onInput, onResize, onResume });
 *   modes.enter();                        // alternate screen, raw mode, paste, keys, focus, wheel; undone on every way out
 *   presenter.start(() => ({ rows, cursor }));   // called when a frame is due: give the newest state
 *   presenter.requestFrame("key");        // echo of a key: painted in the next microtask
 *   presenter.requestFrame("stream");     // anything else: at most one frame in 33 ms
 *   presenter.show(theme);                // from the next frame on in other colours
 *   presenter.resize();                   // from onResize; reads output.columns/rows, repaints all
 *   presenter.repaint();                  // from onResume, when the focus came back, Ctrl+L
 *   presenter.stop(); await modes.leave();       // normal way out
 *
 * A frame holds `presenter.size.rows` rows, each at most `presenter.size.columns` wide (more is cut, less is blank). Rows
 * are compared by identity first: keep the same Row object for rows that did not change. Text of a model, a tool or a
 * file goes through `text/` before it becomes a row. `unfitTerminal` says why no window can be opened.
 *
 * Ink lays out, the canvas paints:
 *   const ink = await loadInk();          // before a module that imports Ink; a first frame can be drawn from rows meanwhile
 *   const bridge = new InkBridge(ink, { columns, rows, onFrame: (rows) => canvas.laidOut(chromeOf(rows)) });
 *   bridge.render(tree);                  // synchronous; the same tree again draws the components that are due
 *   bridge.resize(columns, rows);
 *   canvas.paint({ columns, rows });      // Ink's own texts, with the leaves painted into their places
 *   The real cursor: draw the character under it as `CURSOR`; `chromeOf(rows)` takes the mark out. Colours in Ink:
 *   `inkColour(theme, role)`.
 */
export { type ColourEnv, colourLevel } from "../text/colour-level.ts";
export type { Frame } from "./frame.ts";
export { InkBridge, loadInk } from "./ink-bridge.ts";
export { ASK_BACKGROUND, wantsKeys } from "./modes/screen-modes.ts";
export { unfitTerminal } from "./modes/terminal-streams.ts";
export { Presenter } from "./presenter.ts";
export { type Resumption, TerminalModes } from "./terminal-modes.ts";
export { TerminalReplies } from "./terminal-replies.ts";
