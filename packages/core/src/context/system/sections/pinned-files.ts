import { type PinnedFile, type SeenFile, textMark } from "@harness/protocol";
import { shownPath } from "../../conversation/shown-path.ts";
import type { SectionSources, SystemSection } from "../system-section.ts";
import { type FittedFile, fittedFiles } from "./fitted-files.ts";

/** Stands in for the hash of a file that cannot be read. */
const UNREAD = "unread";

/** The user's pinned files, for the agent they talk to. */
export const pinnedFiles: SystemSection = {
  name: "pinned_files",
  room: ({ maxPinnedChars }) => maxPinnedChars,
  change: { mark: ({ state }) => state().pinned, cause: "other files are pinned" },
  async read(sources) {
    const files = await readPinned(sources);
    return { write: ({ agent, chars }) => (agent.isMain ? fittedFiles(files, chars, "pinned file") : []) };
  },
};

/** The current content of a pinned file. `version`: the hash of the whole file. */
export type PinnedText = FittedFile & { version: string; seen?: SeenFile };

export function readPinned({ requests, state, refusal, cwd }: SectionSources): Promise<PinnedText[]> {
  return Promise.all(
    state().pinned.map(async (file) => {
      const path = pinnedName(file, cwd);
      const named = `The person has pinned ${path}: read it.`;
      const refused = await refusal(file.path);
      const read = refused === undefined ? await requests.pinnedFile(file) : { problem: refused };
      if ("problem" in read)
        return { path, heading: pinnedHeading(path), named, text: `[It ${read.problem}.]`, version: UNREAD };
      const { seen } = read;
      const text = read.text.trim();
      const { opening, ending } = textMark(text);
      const heading = pinnedHeading(`${path}, ${opening}`);
      return { path, heading, named, text, ending, version: seen.sha256 ?? UNREAD, seen };
    }),
  );
}

/** Precedes the text of a pinned file. */
export const pinnedHeading = (name: string): string => `Pinned file ${name}:\n`;

/** The path for display, with its lines: `src/a.ts:10-40`. */
export function pinnedName({ path, lines }: PinnedFile, cwd: string): string {
  const range = lines && (lines.last > lines.first ? `${lines.first}-${lines.last}` : `${lines.first}`);
  return shownPath(path, cwd) + (range === undefined ? "" : `:${range}`);
}
