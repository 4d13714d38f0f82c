import type { CommandRow } from "./command-row.ts";

export const model: CommandRow = {
  description: "Choose the model, now and for later sessions",
  argumentHint: "[MODEL | list | reset]",
  complete: async ({ controllers }) =>
    (await controllers.overlays.models.names()).map((name) => ({ label: name, detail: "", insert: name })),
  run({ controllers: { overlays } }, args) {
    const { models } = overlays;
    const wanted = args.trim();
    if (wanted === "" || wanted === "list") return models.open();
    return wanted === "reset" ? models.reset() : models.use(wanted);
  },
};
