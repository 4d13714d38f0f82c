import type { CallParams, ClientNotifications } from "@harness/protocol";
import { wordsOf } from "../../client/harness-client.ts";
import type { ServerLink } from "../../client/server-link.ts";
import { type DoctorSheet, SHEET_END } from "../../state/app-state.ts";
import type { Store } from "../../state/store.ts";

export type DoctorDeskParts = { store: Store; link: Pick<ServerLink, "call"> };

type Probe = CallParams<ClientNotifications, "models/probe">;

/** Tries out what a model can do while its sheet is in view; closing the sheet stops it. */
export class DoctorDesk {
  readonly #parts: DoctorDeskParts;

  constructor(parts: DoctorDeskParts) {
    this.#parts = parts;
  }

  /** The model in use, or the one that is named. */
  async run(named: string): Promise<void> {
    const { store, link } = this.#parts;
    const { hud, providers, cwd } = store.get();
    const { provider, model } = hud?.model ? hud : (providers?.selected ?? {});
    const asked = named === "" ? { ...(provider ? { provider } : {}), ...(model ? { model } : {}) } : { model: named };
    const label = [...("provider" in asked ? [asked.provider] : []), ...(asked.model ? [asked.model] : [])].join("/");
    const stopped = new AbortController();
    this.#show({ kind: "doctor", scroll: SHEET_END, label, probes: [], of: undefined, running: true });
    const unsubscribe = store.subscribe(() => {
      if (!this.#sheet?.running) stopped.abort();
    });
    try {
      const { card } = await link.call("models/doctor", { cwd, ...asked }, { signal: stopped.signal });
      if (!stopped.signal.aborted) this.#change({ card });
    } catch (error) {
      if (!stopped.signal.aborted) this.#change({ problem: `The model could not be tried out: ${wordsOf(error)}` });
    } finally {
      unsubscribe();
      if (!stopped.signal.aborted) this.#change({ running: false });
    }
  }

  /** A probe has ended. */
  take({ provider, model, probe, of }: Probe): void {
    const sheet = this.#sheet;
    if (!sheet?.running) return;
    this.#change({ probes: [...sheet.probes, probe], of, label: `${provider}/${model}` });
  }

  get #sheet(): DoctorSheet | undefined {
    const { overlay } = this.#parts.store.get();
    return overlay?.kind === "doctor" ? overlay : undefined;
  }

  #change(changes: Partial<Omit<DoctorSheet, "kind">>): void {
    const sheet = this.#sheet;
    if (sheet) this.#show({ ...sheet, ...changes });
  }

  #show(overlay: DoctorSheet): void {
    this.#parts.store.dispatch({ type: "overlayShown", overlay });
  }
}
