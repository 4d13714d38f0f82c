import type { SystemSection } from "../system-section.ts";
import { fittedFiles } from "./fitted-files.ts";

/** The user's own texts, added to every system text. */
export const promptFragments: SystemSection = {
  name: "prompt_fragments",
  room: "shared",
  async read({ requests }) {
    const files = (await requests.promptFragments()).map(({ path, text }) => {
      return { path, text, heading: "", named: `More of these instructions is in ${path}: read it.` };
    });
    return { write: ({ chars }) => fittedFiles(files, chars, "prompt fragment") };
  },
};
