import { themeNames } from "@harness/protocol/choices";
import { type FrontCommand, named } from "./front-command.ts";

const names: readonly string[] = themeNames;

export const themeCommand: FrontCommand = {
  words: "Change the colours, now and for later windows",
  lines: { words: "Change the colours of the window" },
  hint: "[NAME]",
  whileBusy: true,
  complete: async () => named(names),
  async run(front, args) {
    const name = args.toLowerCase();
    if (name === "") return front.chooseTheme();
    if (!names.includes(name)) {
      const close = front.closest(name, names);
      const hint = close.length > 0 ? `Did you mean ${close.join(" or ")}?` : `Themes: ${names.join(", ")}.`;
      return front.say(`There is no theme ${JSON.stringify(name)}. ${hint}`, "error");
    }
    await front.server.call("settings/set", { edits: [{ key: "theme", value: name }] });
    front.say(({ themed }) => themed(name));
  },
};
