import { relative } from "node:path";
import type { ServerCommand } from "../server-command.ts";

const words = { new: "New", changed: "Changed", gone: "No longer there" } as const;

export const refreshCommand: ServerCommand = {
  description: "Read instruction files, prompt fragments, the workspace and pinned files again, and say what changed.",
  needsSession: true,
  leavesLane: true,
  async run({ session, cwd }) {
    const answer = await session.texts.refresh();
    if ("problem" in answer) return answer.problem;
    const { changes } = answer;
    if (changes.length === 0) return "Read again: nothing has changed.";
    const lines = changes.map(({ name, how }) => `${words[how]}: ${displayName(name, cwd)}`);
    return ["Read again. Changed from the next request on:", ...lines].join("\n");
  },
};

/** The folder itself stands for the text about the workspace. */
function displayName(name: string, cwd: string): string {
  if (name === cwd) return "the workspace";
  return name.startsWith(`${cwd}/`) ? relative(cwd, name) : name;
}
