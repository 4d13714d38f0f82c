import { agentsOverlay } from "./agents/index.ts";
import { contextOverlay } from "./context/index.ts";
import { keysOverlay } from "./keys/index.ts";
import { modelsOverlay } from "./models/index.ts";
import type { OverlayComponent, OverlayHost, OverlayRow } from "./overlay.ts";
import { processesOverlay } from "./processes/index.ts";
import { rewindOverlay } from "./rewind/index.ts";
import { doctorOverlay, helpOverlay, textOverlay, usageOverlay } from "./sheets/index.ts";
import { themesOverlay } from "./themes/index.ts";

/** Every overlay, by its kind. */
const overlays = {
  agents: agentsOverlay,
  context: contextOverlay,
  doctor: doctorOverlay,
  help: helpOverlay,
  keys: keysOverlay,
  models: modelsOverlay,
  processes: processesOverlay,
  rewind: rewindOverlay,
  text: textOverlay,
  themes: themesOverlay,
  usage: usageOverlay,
} as const satisfies Record<string, OverlayRow>;

type Rows = typeof overlays;

/** The overlays of an open window. */
export type Overlays = { readonly [Kind in keyof Rows]: ReturnType<Rows[Kind]["create"]> };

export function createOverlays(host: OverlayHost): Overlays {
  const rows: [string, OverlayRow][] = Object.entries(overlays);
  return Object.fromEntries(rows.map(([kind, { create }]) => [kind, create(host)])) as Overlays;
}

export function overlayRow(kind: string): OverlayRow | undefined {
  return (overlays as Record<string, OverlayRow>)[kind];
}

/** Loads the components of the overlays that have one; Ink must be loaded before. */
export async function loadOverlayViews(): Promise<ReadonlyMap<string, OverlayComponent>> {
  const rows: [string, OverlayRow][] = Object.entries(overlays);
  const loaded = rows.map(async ([kind, { view }]) => (view ? [[kind, await view()] as const] : []));
  return new Map((await Promise.all(loaded)).flat());
}
