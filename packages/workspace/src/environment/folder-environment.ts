import type { FolderEnvironment } from "@harness/tools";
import type { EnvironmentCommand, FolderVariables } from "./environment-command.ts";

type Person = { warn(title: string, description: string): void };

/** The effect of the setting `environment_command` on a session's commands; problems are reported to the user once. */
export function folderEnvironment(
  command: Pick<EnvironmentCommand, "at">,
  person: Person | undefined,
): FolderEnvironment {
  const reported = new Set<string>();
  return async (cwd, signal) => {
    const found = await command.at(cwd, signal);
    for (const [title, description] of warnings(found)) {
      if (reported.has(description)) continue;
      reported.add(description);
      person?.warn(title, description);
    }
    return found;
  };
}

function warnings({ problem, withheld }: FolderVariables): [string, string][] {
  if (problem !== undefined)
    return [["The environment of this folder is not known.", `${problem} Commands run without it.`]];
  const names = Object.keys(withheld).sort();
  if (names.length === 0) return [];
  const looks = names.length === 1 ? "it looks like a secret" : "they look like secrets";
  const text = `${names.join(", ")}: ${looks}, which commands never get.`;
  return [["Not everything that environment_command prints is passed on.", text]];
}
