/**
 * The transcript of one agent as rows: wrapped once, cached, and only what is visible is touched.
 *
 *   const code = new DrawingCode(() => presenter.requestFrame("stream"));   // Markdown, a highlighter's language: loaded when met
 *   const view = new TranscriptView({ code, root });
 *   view.resize(width, height);          // rows() then gives exactly `height` rows of at most `width` columns
 *   view.show(agentState);               // any time it may have changed (items, live, output); O(1), keeps the reference
 *   view.rows(): Row[]                   // the visible slice; does the lazy work
 *   view.scrollBy(±rows) / page(±1) / toStart() / toEnd()      // wheel, PgUp/PgDn, Ctrl+Home/End
 *   view.position: { following, above, below }                 // rows hidden above and below; `below` > 0: draw "↓ n more"
 *   view.foldAll(toggle) / view.foldNewest()                   // Ctrl+O, Alt+O
 *
 * Following = the newest row stays in view. Scrolling up stops it, reaching the end or `toEnd()` starts it again, and so
 * does a new message or command of the user. `show` with another `items` array (another agent, another session) starts
 * afresh, or continues where its view was left.
 */

export { joinableFrom } from "./look-groups.ts";
export type { TranscriptState } from "./transcript-state.ts";
export { TranscriptView } from "./transcript-view.ts";
export { worktreeText } from "./worktree-text.ts";
