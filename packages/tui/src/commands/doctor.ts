import type { CommandRow } from "./command-row.ts";

export const doctor: CommandRow = {
  description: "Test what the model can do",
  argumentHint: "[MODEL]",
  complete: async ({ controllers }) =>
    (await controllers.overlays.models.names()).map((name) => ({ label: name, detail: "", insert: name })),
  run: ({ controllers }, args) => controllers.overlays.doctor.run(args.trim()),
};
