import type { CommandRow } from "./command-row.ts";

export const title: CommandRow = {
  aliases: ["rename"],
  description: "Name this session",
  argumentHint: "TITLE",
  async run({ store, controllers }, args) {
    const wanted = args.trim();
    if (wanted !== "") return controllers.session.rename(wanted.slice(0, 200));
    const { title: current } = store.get();
    store.note(
      "info",
      current ? `This session is called "${current}". /title TITLE changes that.` : "Usage: /title TITLE.",
    );
  },
};
