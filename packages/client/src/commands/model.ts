import type { Front } from "./front.ts";
import { type Choice, type FrontCommand, named } from "./front-command.ts";

export const modelCommand: FrontCommand = {
  words: "Choose the model, now and for later sessions",
  lines: { words: "List the models, choose one for this and later sessions, or remove the choice" },
  hint: "[MODEL | list | reset]",
  complete: modelNames,
  run({ models }, wanted) {
    if (wanted === "" || wanted === "list") return models.list();
    return wanted === "reset" ? models.reset() : models.use(wanted);
  },
};

export const doctorCommand: FrontCommand = {
  words: "Test what the model can do",
  hint: "[MODEL]",
  complete: modelNames,
  run: ({ models }, wanted) => models.test(wanted),
};

async function modelNames({ server }: Front): Promise<Choice[]> {
  const { models } = await server.call("models/list", {});
  return named(models.map((each) => `${each.provider}/${each.model}`));
}
