import type { NamedScope } from "../keymap/scope.ts";
import { screens } from "../screens/index.ts";
import type { Screen, ScreenHost, ScreenRow } from "../screens/screen.ts";
import type { Store } from "../state/store.ts";

const rows: Readonly<Record<string, ScreenRow>> = screens;

/** The screens of an open window, and navigation between them. */
export class Navigation {
  readonly #store: Store;
  readonly #screens: ReadonlyMap<string, Screen>;

  constructor(store: Store, host: ScreenHost) {
    this.#store = store;
    this.#screens = new Map(Object.entries(rows).map(([id, row]) => [id, row.create(host)]));
  }

  /** The screen in view. */
  get current(): Screen | undefined {
    return this.#screens.get(this.#store.get().screen);
  }

  get all(): Screen[] {
    return [...this.#screens.values()];
  }

  /** The screens' key scopes, by name. */
  get scopes(): Readonly<Record<string, NamedScope>> {
    return Object.fromEntries(this.#screens);
  }

  /** Call when the data of a screen may have changed. */
  refresh(): void {
    for (const screen of this.all) screen.refresh?.();
  }

  show(id: string): void {
    if (this.#store.get().screen !== id) this.#screens.get(id)?.enter?.();
    this.#store.dispatch({ type: "screenShown", screen: id });
    this.current?.load?.();
  }

  back(): void {
    this.show(this.#store.get().before);
  }
}
