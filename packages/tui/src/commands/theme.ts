import { themeNames } from "@harness/protocol/choices";
import { closestNames } from "../text/closest-names.ts";
import type { CommandRow } from "./command-row.ts";
import { showSettings } from "./settings.ts";

const names: readonly string[] = themeNames;

export const theme: CommandRow = {
  description: "Change the colours, now and for later windows",
  argumentHint: "[NAME]",
  complete: async () => names.map((name) => ({ label: name, detail: "", insert: name })),
  async run({ store, window, controllers: { server } }, args) {
    const name = args.trim().toLowerCase();
    if (name === "") {
      // There the arrows try one theme after another.
      return showSettings({ store, window }, "theme");
    }
    if (names.includes(name)) {
      await server.call("settings/set", { edits: [{ key: "theme", value: name }] });
      store.note("info", `The theme is now ${name}.`);
      return;
    }
    const close = closestNames(name, names);
    const hint = close.length > 0 ? `Did you mean ${close.join(" or ")}?` : `Themes: ${names.join(", ")}.`;
    store.note("error", `There is no theme ${JSON.stringify(name)}. ${hint}`);
  },
};
