import { statSync } from "node:fs";
import { join } from "node:path";
import { instructionNames } from "@harness/workspace";
import { startTurn } from "../send-message.ts";
import type { ServerCommand } from "../server-command.ts";

const USUAL = "AGENTS.md";

export const initCommand: ServerCommand = {
  description: "Have the model write or update the instruction file of the project (AGENTS.md, or the existing one).",
  argumentHint: "[what matters to you]",
  needsSession: true,
  startsTurn: true,
  run(context, args) {
    const { session, cwd } = context;
    if (session.mode !== "agent") return "/init writes a file, which this mode does not allow. Type /agent first.";
    const existing = instructionNames.find((name) => isFile(join(cwd, name)));
    return startTurn(context, args === "" ? "/init" : `/init ${args}`, [initText(existing)]);
  },
};

function initText(existing: string | undefined): string {
  const task = existing
    ? `Update ${existing}, the instruction file of this project: read it first, keep what is still true and what people decided, correct and complete the rest.`
    : `Write ${USUAL}, the instruction file of this project.`;
  return `${task} Coding agents get it with every request, so each line must help one that does not know the project.

Look first: the readme, manifests, build and CI files, the layout of the sources, some of the code and tests, and rules for other agents (.cursorrules, .cursor/rules, .github/copilot-instructions.md). Then write, in fewer than 200 lines of Markdown:
- the commands to build, check, run and test, and how to run a single test;
- how the code is organised, as far as it takes more than one file to see it;
- conventions and pitfalls that are particular to this project.

Nothing that you have not found in the files, no advice that holds everywhere, no lists of all files, no secrets. Write the one file only.`;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
