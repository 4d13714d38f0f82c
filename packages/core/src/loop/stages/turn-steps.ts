import type { CallSteps } from "./call-steps.ts";
import { type StageTable, type Step, stageTable } from "./stage.ts";

/** The built-in steps of turns, merged with the steps of extensions; sorted again only when the latter change. */
export class TurnSteps<C> {
  readonly #builtIn: readonly Step<C>[];
  readonly #more: () => readonly Step<C>[];
  readonly #calls: () => CallSteps<C>;
  #known: { more: readonly Step<C>[]; table: StageTable<C> } | undefined;

  /** `more` returns the same array as long as nothing has changed. */
  constructor(builtIn: readonly Step<C>[], more: () => readonly Step<C>[], calls: () => CallSteps<C>) {
    this.#builtIn = builtIn;
    this.#more = more;
    this.#calls = calls;
  }

  calls(): CallSteps<C> {
    return this.#calls();
  }

  now(): StageTable<C> {
    const more = this.#more();
    if (this.#known?.more !== more) this.#known = { more, table: stageTable([...this.#builtIn, ...more]) };
    return this.#known.table;
  }
}
