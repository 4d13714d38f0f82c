import type { CommandRow } from "./command-row.ts";

export const model: CommandRow = {
  description: "Choose the model, now and for later sessions",
  argumentHint: "[MODEL]",
  complete: async ({ controllers }) =>
    (await controllers.models.names()).map((name) => ({ label: name, detail: "", insert: name })),
  run: ({ controllers: { models } }, args) => (args.trim() === "" ? models.open() : models.use(args.trim())),
};
