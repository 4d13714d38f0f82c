import type { CommandRow } from "./command-row.ts";

export const doctor: CommandRow = {
  description: "Try out what the model can do",
  argumentHint: "[MODEL]",
  complete: async ({ modelNames }) => (await modelNames()).map((name) => ({ label: name, detail: "", insert: name })),
  run: ({ examine }, args) => examine(args.trim()),
};
