import { permissionModes } from "@harness/protocol";
import { modeSentence } from "../actions/mode-words.ts";
import type { FrontCommand } from "./front-command.ts";

/** The window has a key for it. */
export const permissionModeCommand: FrontCommand = {
  words: `Set the permission mode: ${permissionModes.join(", ")}`,
  hint: "MODE",
  only: "lines",
  whileBusy: true,
  async run({ session, say }, wanted) {
    const mode = permissionModes.find((each) => each === wanted);
    if (!mode) return say(`Usage: /permission-mode ${wanted === "" ? "MODE" : permissionModes.join("|")}`, "error");
    await session.configure({ permissionMode: mode });
    say(modeSentence({ permissionMode: mode }));
  },
};
