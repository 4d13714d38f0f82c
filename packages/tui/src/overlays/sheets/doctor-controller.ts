import { errorText } from "@harness/client";
import type { CallParams, ClientNotifications } from "@harness/protocol";
import type { WindowHost } from "../../client/window-host.ts";
import type { KeyScope } from "../../keymap/scope.ts";
import { SHEET_END } from "../../state/text-sheet.ts";
import { doctorRows } from "./doctor-rows.ts";
import { type Sheet, sheetScope } from "./sheet.ts";
import { type DoctorSheet, doctorSheet } from "./state.ts";

type Probe = CallParams<ClientNotifications, "models/probe">;

/** The finished probes, and their findings. */
export const doctorPage: Sheet<DoctorSheet> = {
  own: doctorSheet,
  rows: (sheet, { size }) => doctorRows(sheet, size.columns - 2),
  grows: true,
  closing: ({ running }) => (running ? "stops it" : undefined),
};

/** Probes a model while its sheet is in view; closing the sheet stops the probes. */
export class DoctorController {
  readonly #host: WindowHost;

  readonly take: KeyScope;

  constructor(host: WindowHost) {
    this.#host = host;
    this.take = sheetScope(host.store, doctorPage);
  }

  /** Probes the named model, or the model in use. */
  async run(named: string): Promise<void> {
    const { store, server } = this.#host;
    const { hud, providers, cwd } = store.get();
    const { provider, model } = hud?.model ? hud : (providers?.selected ?? {});
    const params = named === "" ? { ...(provider ? { provider } : {}), ...(model ? { model } : {}) } : { model: named };
    const label = [...("provider" in params ? [params.provider] : []), ...(params.model ? [params.model] : [])].join(
      "/",
    );
    const stopped = new AbortController();
    this.#show({ kind: "doctor", scroll: SHEET_END, label, probes: [], of: undefined, running: true });
    const unsubscribe = store.subscribe(() => {
      if (!this.#sheet?.running) stopped.abort();
    });
    try {
      const { capabilities } = await server.call("models/doctor", { cwd, ...params }, { signal: stopped.signal });
      if (!stopped.signal.aborted) this.#change({ capabilities });
    } catch (error) {
      if (!stopped.signal.aborted) this.#change({ problem: `The model could not be tested: ${errorText(error)}` });
    } finally {
      unsubscribe();
      if (!stopped.signal.aborted) this.#change({ running: false });
    }
  }

  /** A probe has ended. */
  probed({ provider, model, probe, of }: Probe): void {
    const sheet = this.#sheet;
    if (!sheet?.running) return;
    this.#change({ probes: [...sheet.probes, probe], of, label: `${provider}/${model}` });
  }

  get #sheet(): DoctorSheet | undefined {
    return doctorSheet.of(this.#host.store.get());
  }

  #change(changes: Partial<Omit<DoctorSheet, "kind">>): void {
    const sheet = this.#sheet;
    if (sheet) this.#show({ ...sheet, ...changes });
  }

  #show(overlay: DoctorSheet): void {
    this.#host.store.set({ overlay });
  }
}
