import type { FrontCommand } from "./front-command.ts";

const MAX_TITLE = 200;

export const titleCommand: FrontCommand = {
  aliases: ["rename"],
  words: "Name this session",
  hint: "TITLE",
  whileBusy: true,
  async run(front, wanted) {
    if (wanted !== "") return await front.rename(wanted.slice(0, MAX_TITLE));
    const { title: current } = await front.view();
    front.say(current ? `This session is called "${current}". /title TITLE changes that.` : "Usage: /title TITLE.");
  },
};
