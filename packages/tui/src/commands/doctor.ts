import type { CommandRow } from "./command-row.ts";

export const doctor: CommandRow = {
  description: "Try out what the model can do",
  argumentHint: "[MODEL]",
  complete: async ({ models }) => (await models.names()).map((name) => ({ label: name, detail: "", insert: name })),
  run: ({ doctor }, args) => doctor.run(args.trim()),
};
