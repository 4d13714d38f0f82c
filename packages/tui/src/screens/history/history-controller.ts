import { resolve } from "node:path";
import { errorText } from "@harness/client";
import type { CellPosition } from "../../render/screen-selection.ts";
import { shownAgent } from "../../state/agents.ts";
import { formatCount } from "../../widgets/list-slice.ts";
import type { ScreenHost } from "../screen.ts";
import { settingsSlice, settingValue } from "../settings/state.ts";
import { ChosenSessionsController } from "./chosen-sessions-controller.ts";
import { type HistoryLayout, historyLayout } from "./drawn/layout.ts";
import { entryAt, MARK_COLUMNS, topOf } from "./drawn/list-rows.ts";
import { PreviewController } from "./preview-controller.ts";
import { HitSearch } from "./reading/hit-search.ts";
import { ImportReader } from "./reading/import-reader.ts";
import { positionOfHit } from "./reading/match-target.ts";
import { SessionPages } from "./reading/session-pages.ts";
import { askedOf, currentEntry, emptyHistory, type HistoryState, historySlice, listedEntries } from "./state.ts";
import { isFullText } from "./stored/asked-sessions.ts";
import type { HistoryEntry } from "./stored/entries.ts";
import type { ImportableSession } from "./stored/importable.ts";

const MAX_TITLE = 200;
/** Rows that one click of the wheel scrolls, until the settings have been read. */
const WHEEL_ROWS = 3;

/** Lists, searches, previews, opens and changes stored sessions. */
export class HistoryController {
  readonly #host: ScreenHost;
  readonly #pages: SessionPages;
  readonly #search: HitSearch;
  readonly #imports: ImportReader;
  readonly acts: ChosenSessionsController;
  readonly preview: PreviewController;

  constructor(host: ScreenHost) {
    this.#host = host;
    const shown = (change: () => void): void => this.#shown(change);
    this.#pages = new SessionPages(host, shown);
    this.#search = new HitSearch(host, shown);
    this.preview = new PreviewController(host, () => this.#layout().preview);
    this.#imports = new ImportReader(host);
    this.acts = new ChosenSessionsController(host, () => {
      this.#pages.refresh();
      this.preview.soon();
    });
  }

  /** The list stays until it is loaded again; the filter and the selection are reset. */
  reset(): void {
    const { folder, ...before } = this.#state;
    const isSame = before.foundBy !== undefined && before.filter === "" && before.section === "current";
    const { sessions, foundBy, total, cursor } = before;
    this.#search.stop();
    this.change({
      ...emptyHistory,
      folder: this.#host.store.get().cwd,
      ...(isSame && folder !== undefined ? { sessions, foundBy, total, cursor } : {}),
    });
  }

  load(): void {
    this.#pages.load();
  }

  /** Sessions of this window or of others have changed. */
  refresh(): void {
    this.#pages.refresh();
  }

  /** `toEnd`: go to the oldest session, whether it is loaded yet or not. */
  select(selected: number, { toEnd = false } = {}): void {
    this.change({ selected, wheeled: false, typing: false, scroll: undefined, ...SILENT });
    this.#settleTop();
    if (this.#state.importable) return;
    this.#pages.follow({ toEnd });
    this.preview.soon();
  }

  /** Asks for other sessions: by words, filters, folder or archive. */
  ask(changes: Partial<Pick<HistoryState, "filter" | "typing" | "folder" | "section" | "importable">>): void {
    const { section, importable } = { ...this.#state, ...changes };
    // Sessions that are marked must not be deleted for good because the bin is listed now.
    const isOther =
      section !== this.#state.section || (importable === undefined) !== (this.#state.importable === undefined);
    this.change({
      ...changes,
      ...(isOther ? { marked: new Set() } : {}),
      selected: 0,
      top: 0,
      wheeled: false,
      scroll: undefined,
      ...SILENT,
    });
    if (this.#state.importable) return;
    this.#pages.follow();
    this.#search.follow();
    this.preview.soon();
  }

  /** Lists the sessions of other programs. */
  showImportable(): void {
    this.#search.stop();
    this.ask({ importable: { sessions: [], isRead: false }, section: "current", filter: "", typing: false });
    void this.#imports.read();
  }

  mark({ sessionId }: HistoryEntry["session"]): void {
    const marked = new Set(this.#state.marked);
    if (!marked.delete(sessionId)) marked.add(sessionId);
    this.change({ marked, ...SILENT });
  }

  /** Marks all sessions that the list has, loaded yet or not; or none if all are marked. */
  async markAll(): Promise<void> {
    const { marked, cursor, total, working } = this.#state;
    if (working !== undefined) return;
    const listed = () => new Set(listedEntries(this.#state).map(({ session }) => session.sessionId));
    if (cursor === undefined && [...listed()].every((id) => marked.has(id))) {
      this.change({ marked: new Set(), ...SILENT });
      return;
    }
    if (cursor !== undefined) {
      this.change({ ...SILENT, working: `Reading ${formatCount(total, "session")}` });
      const areAll = await this.#pages.loadAll();
      this.change({ working: undefined });
      if (!areAll) return;
    }
    this.change({ marked: listed(), ...SILENT, said: unlistedHits(this.#state) });
  }

  /** Folds the forks of the selected session; if there are none, goes to its parent. */
  fold(): void {
    const entry = currentEntry(this.#state);
    if (!entry) return;
    const { session, forks, isFolded } = entry;
    if (forks > 0 && !isFolded) {
      this.#setFolded((folded) => folded.add(session.sessionId));
      return;
    }
    const parent = session.summary?.parent?.sessionId;
    const at = listedEntries(this.#state).findIndex((each) => each.session.sessionId === parent);
    if (entry.branch !== "" && at >= 0) this.select(at);
  }

  unfold(): void {
    const entry = currentEntry(this.#state);
    if (entry?.isFolded) this.#setFolded((folded) => folded.delete(entry.session.sessionId));
  }

  /** Opens a session, at the passage that was found; imports one of another program, and restores those of the bin. */
  async open({ session, hit, importable }: HistoryEntry): Promise<void> {
    const { store } = this.#host;
    if (importable) return await this.#import(importable);
    if (this.#state.section === "bin") return await this.acts.restore();
    const query = askedOf(this.#state).words;
    if (!(await this.#host.session.open(session.sessionId))) {
      this.change({ problem: store.get().notes.at(-1)?.text ?? "The session could not be opened." });
      return;
    }
    if (!hit || store.get().session?.sessionId !== session.sessionId) return;
    if (store.get().agentInView !== hit.agentId) this.#host.session.showAgent(hit.agentId);
    const place = positionOfHit(shownAgent(store.get())?.items ?? [], hit, query);
    if (place) this.#host.window.showMatch(place);
  }

  async saveTitle(title: string): Promise<void> {
    const entry = currentEntry(this.#state);
    if (!entry) return;
    if (title === "") return this.change({ problem: "A title needs at least one character." });
    const { sessionId } = entry.session;
    const named = { title: title.slice(0, MAX_TITLE) };
    try {
      await this.#host.server.call("session/set_title", { sessionId, ...named });
      const { sessions, passages } = this.#state;
      const renamed = <T extends { readonly sessionId: string }>(each: T): T =>
        each.sessionId === sessionId ? { ...each, ...named } : each;
      this.change({
        renaming: undefined,
        sessions: sessions?.map(renamed),
        passages: passages && { ...passages, hits: passages.hits.map(renamed) },
        problem: undefined,
      });
      this.#pages.refresh();
    } catch (error) {
      this.change({ problem: `The title could not be saved: ${errorText(error)}` });
    }
  }

  /** Exports into the folder that was typed, as seen from the folder of the window. */
  export(): void {
    const { exporting } = this.#state;
    if (!exporting) return;
    this.change({ exporting: undefined });
    void this.acts.export(exporting, (typed) => resolve(this.#host.store.get().cwd, typed));
  }

  /** Scrolls the list, without the selection. */
  scrollList(by: number): void {
    const { list } = this.#layout();
    this.change({ top: Math.max(0, topOf(this.#state, list.rows) + by), wheeled: true });
    this.#settleTop();
    if (!this.#state.importable) this.#pages.follow();
  }

  wheel(direction: number, { x, y }: CellPosition): void {
    const { isWide, list } = this.#layout();
    const set = settingValue(settingsSlice.of(this.#host.store.get()).settings, "wheel_rows");
    const by = direction * (typeof set === "number" ? set : WHEEL_ROWS);
    const isPreview = this.#state.reading || (isWide ? x > list.columns : y > list.rows + 3);
    if (isPreview) this.preview.scroll(by);
    else this.scrollList(by);
  }

  /** A click into a row of the list: on its mark, on the selected row, or on a different row. */
  click({ x, y }: CellPosition): void {
    const state = this.#state;
    const index = entryAt(state, this.#layout().list.rows, y);
    const entry = index === undefined ? undefined : listedEntries(state)[index];
    if (index === undefined || !entry || state.asking || state.renaming || state.exporting) return;
    if (x < MARK_COLUMNS && !entry.importable) this.mark(entry.session);
    else if (index === state.selected && state.section !== "bin") void this.open(entry);
    else {
      // The rows stay where they are, so that a second click hits the same one.
      this.change({ top: topOf(state, this.#layout().list.rows) });
      this.select(index);
    }
  }

  change(changes: Partial<HistoryState>): void {
    historySlice.change(this.#host.store, changes);
  }

  async #import(importable: ImportableSession): Promise<void> {
    if (this.#state.working !== undefined) return;
    const sessionId = await this.#imports.import(importable);
    if (sessionId !== undefined) await this.#host.session.open(sessionId);
  }

  get #state(): HistoryState {
    return historySlice.of(this.#host.store.get());
  }

  #layout(): HistoryLayout {
    const state = this.#host.store.get();
    return historyLayout(this.#state, state, state.keymap.names);
  }

  #settleTop(): void {
    this.change({ top: topOf(this.#state, this.#layout().list.rows) });
  }

  #setFolded(change: (folded: Set<string>) => void): void {
    const folded = new Set(this.#state.folded);
    this.#shown(() => {
      change(folded);
      this.change({ folded });
    });
  }

  /** After a change of the list, the same entry is selected, wherever it is now; the best one stays the best one. */
  #shown(change: () => void): void {
    const before = currentEntry(this.#state);
    change();
    const state = this.#state;
    const isBest = state.selected === 0 && askedOf(state).words !== "";
    const at = listedEntries(state).findIndex(
      ({ session, hit }) => session.sessionId === before?.session.sessionId && hit?.seq === before.hit?.seq,
    );
    if (at >= 0 && !isBest) this.change({ selected: at });
    this.preview.soon();
  }
}

/** Why more sessions may have been found than the list has; undefined: it has all. */
function unlistedHits({ passages, ...history }: HistoryState): string | undefined {
  if (!isFullText(askedOf({ passages, ...history })) || !passages || passages.count <= passages.hits.length)
    return undefined;
  return `Marked: those with the best ${passages.hits.length} of ${formatCount(passages.count, "passage")}.`;
}

/** Removes the words about the last action. */
const SILENT = { problem: undefined, said: undefined, putAway: undefined } as const;
