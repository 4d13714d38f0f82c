import type { CommandRow } from "./command-row.ts";

export const model: CommandRow = {
  description: "Choose the model, now and for later sessions",
  argumentHint: "[MODEL]",
  complete: async ({ modelNames }) => (await modelNames()).map((name) => ({ label: name, detail: "", insert: name })),
  run: ({ chooseModel, setModel }, args) => (args.trim() === "" ? chooseModel() : setModel(args.trim())),
};
