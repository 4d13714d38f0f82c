import type { OverlayRow } from "../overlay.ts";
import { ModelController } from "./model-controller.ts";

export const modelsOverlay: OverlayRow<ModelController> = {
  view: async () => (await import("./view.tsx")).Models,
  create: (host) => new ModelController(host, host.session),
};
