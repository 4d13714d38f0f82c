import type { OverlayRow } from "../overlay.ts";
import { KeysController } from "./keys-controller.ts";

export const keysOverlay: OverlayRow<KeysController> = {
  view: async () => (await import("./view.tsx")).Keys,
  create: (host) => new KeysController(host),
};
