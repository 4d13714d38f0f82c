import type { Clock } from "@harness/core";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import { askForModels, type ServerReport } from "./discovery.ts";
import type { ServerModel } from "./server-model.ts";

/** Hosted lists are long and rarely change. */
const FRESH_MS = 10 * 60_000;

type CachedReport = { atMs: number; report: Promise<ServerReport>; settled?: ServerReport };

/** The models that servers list: for a nearby server always up to date, for a hosted one at most ten minutes old. */
export class ModelLists {
  readonly #clock: Clock;
  readonly #kept = new Map<string, CachedReport>();
  readonly #onWaiting: (endpoints: readonly Endpoint[]) => void;
  readonly #waiting = new Set<Endpoint>();

  /** `onWaiting` gets all servers that accepted a connection but have not answered yet, whenever they change. */
  constructor(clock: Clock, onWaiting: (endpoints: readonly Endpoint[]) => void = () => undefined) {
    this.#clock = clock;
    this.#onWaiting = onWaiting;
  }

  /** Never throws. */
  report(endpoint: Endpoint): Promise<ServerReport> {
    return this.#report(endpoint, { isChosen: !endpoint.usual });
  }

  /** The same for an endpoint that the user chose, which is given more time. */
  reportOfChosen(endpoint: Endpoint): Promise<ServerReport> {
    return this.#report(endpoint, { isChosen: true });
  }

  /** The recent list of a hosted vendor, without asking it again. */
  atHand(endpoint: Endpoint): ServerReport | undefined {
    if (endpoint.vendor.catalogue === "none") return unlisted(endpoint);
    return this.#fresh(endpoint)?.settled;
  }

  async #ofNear(endpoint: Endpoint, isChosen: boolean): Promise<ServerReport> {
    const onWait = () => {
      this.#waiting.add(endpoint);
      this.#onWaiting([...this.#waiting]);
    };
    const report = await askForModels(endpoint, this.#clock, { isChosen, onWait });
    if (this.#waiting.delete(endpoint)) this.#onWaiting([...this.#waiting]);
    return report;
  }

  async #report(endpoint: Endpoint, chosen: { isChosen: boolean }): Promise<ServerReport> {
    const { vendor, near } = endpoint;
    if (vendor.catalogue === "none") return unlisted(endpoint);
    if (near || vendor.local) return this.#ofNear(endpoint, chosen.isChosen);
    const known = this.#fresh(endpoint);
    if (known) return known.report;
    const report = askForModels(endpoint, this.#clock, chosen).then(withPlainIds);
    const kept: CachedReport = { atMs: this.#clock.monotonicMs(), report };
    const key = keyOf(endpoint);
    this.#kept.set(key, kept);
    const settled = await report;
    if (settled.reachable) kept.settled = settled;
    else if (this.#kept.get(key) === kept) this.#kept.delete(key);
    return settled;
  }

  #fresh(endpoint: Endpoint): CachedReport | undefined {
    const kept = this.#kept.get(keyOf(endpoint));
    return kept && this.#clock.monotonicMs() - kept.atMs < FRESH_MS ? kept : undefined;
  }
}

/** A vendor without a list only has its default model, as far as known. */
function unlisted(endpoint: Endpoint): ServerReport {
  const { defaultModel } = endpoint.vendor;
  return { endpoint, reachable: true, models: defaultModel === undefined ? [] : [{ id: defaultModel }] };
}

/** A different key may see different models. */
function keyOf({ vendor, baseUrl, key = "" }: Endpoint): string {
  return JSON.stringify([vendor.id, baseUrl, key]);
}

/** Google lists its models as `models/<id>`, and accepts them without the prefix. */
function withPlainIds(report: ServerReport): ServerReport {
  if (!report.reachable) return report;
  const plain = (model: ServerModel) => ({ ...model, id: model.id.replace(/^models\//, "") });
  return { ...report, models: report.models.map(plain) };
}
