import { amount, nameInWords } from "@harness/protocol";
import type { MapFile } from "../../../ports/code-search.ts";
import type { PromptBudget } from "../prompt-budget.ts";
import type { SectionSources, SystemSection } from "../system-section.ts";

const HEADING =
  "Main files, with the definitions that other files use most. It is a selection: search for what is not here.";

/** The most important files of an indexed folder, for the agent that the user talks to. Never in a small window. */
export const repositoryMap: SystemSection = {
  name: "repository_map",
  room: ({ maxMapChars }) => maxMapChars,
  key: ({ isMain }, budget) => (isMain ? budget.size : ""),
  change: { mark: ({ settings }) => settings.values.repository_map, cause: "the repository map was set otherwise" },
  async read(sources, { isMain }, budget) {
    const files = isMain && isWanted(sources, budget) ? await readable(sources) : [];
    return { write: ({ chars }) => (files.length > 0 ? mapPiece(files, chars) : []) };
  },
};

function isWanted({ settings }: SectionSources, { size }: PromptBudget): boolean {
  const { repository_map } = settings.values;
  return repository_map === "on" ? size !== "small" : repository_map === "auto" && size === "ample";
}

async function readable({ requests, refusal, cwd }: SectionSources): Promise<MapFile[]> {
  const files = await requests.repositoryMap();
  const refused = await Promise.all(files.map(({ path }) => refusal(`${cwd}/${path}`)));
  return files.filter((_, at) => refused[at] === undefined);
}

/** As many of the first files as fit, in the order of their paths. */
function mapPiece(files: readonly MapFile[], chars: number): { name: string; text: string }[] {
  const lines: string[] = [];
  let room = chars - HEADING.length;
  for (const { path, names } of files) {
    const line = `${nameInWords(path)}: ${names.join(", ")}`;
    room -= line.length + 1;
    if (room < 0) break;
    lines.push(line);
  }
  if (lines.length === 0) return [];
  return [{ name: amount(lines.length, "file"), text: [HEADING, ...lines.sort()].join("\n") }];
}
