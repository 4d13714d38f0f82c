import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { OpenTerminal } from "@harness/testkit/terminal";
import { pressUntil } from "./proof.ts";

/** One permission dialog of the walk: its text, the key that marks its answer, and the answer's label. */
type Step = {
  readonly title: string;
  readonly shows: readonly string[];
  readonly key: string;
};

/** The cards of the scenario `ten-decisions`, in order; between them are calls that need no answer. */
export const gateWalk: readonly Step[] = [
  {
    title: "Write notes.md",
    shows: ["Yes, and all edits in this session", "this turn"],
    key: "t",
  },
  { title: "$ npm test", shows: ["Yes, and don't ask again for `npm test …`"], key: "r" },
  { title: "$ sed -i", shows: ["deletes more.md", "writes src/sum.js"], key: "y" },
  { title: "outside.txt", shows: ["reads outside the workspace"], key: "n" },
  { title: "Read .env", shows: ["high risk", "which may hold secrets"], key: "n" },
  { title: "git push --force", shows: ["high risk", "overwrites what others have pushed"], key: "n" },
  { title: ".git/hooks/pre-commit", shows: ["high risk", "writes into a git folder"], key: "n" },
];

/** A file with keys in the workspace, and a file next to it. */
export function prepareGateWalk(project: string): void {
  writeFileSync(join(project, ".env"), "GROQ_API_KEY=value\n");
  writeFileSync(join(dirname(project), "outside.txt"), "outside\n");
}

/** Sends the message that starts the walk; the folder's content is not trusted. */
export async function startGateWalk(window: OpenTerminal): Promise<void> {
  // Its answers appear when it accepts keys: after a second without typing.
  await window.waitFor("› n  Do not trust it");
  window.press("enter");
  await window.waitFor("Ask anything · / commands · @ files");
  window.type("walk");
  await window.waitFor("walk");
  window.press("enter");
}

/** Answers every dialog according to the walk, and the question at its end with its second answer. */
export async function takeGateWalk(window: OpenTerminal, onCard: (step: Step) => void): Promise<void> {
  const isUp = (rows: string[]) => rows.some((row) => row.includes("Yes, once"));
  // The field for a reason, or the answers that hold longer.
  const isBelow = (rows: string[]) => rows.some((row) => row.includes("goes back"));
  const isOf = (rows: string[], { title, shows }: Step) =>
    isUp(rows) && [title, ...shows].every((part) => rows.some((row) => row.includes(part)));
  for (const step of gateWalk) {
    await window.waitFor((rows) => isOf(rows, step));
    onCard(step);
    // A letter marks its answer once the card accepts keys, and Enter gives it.
    await window.waitFor((rows) => rows.some((row) => row.includes(" · Enter")));
    const isMarked = (rows: string[]) => rows.some((row) => row.includes(`› ${step.key} `));
    if (!isMarked(window.screen())) window.type(step.key);
    await window.waitFor(isMarked);
    // "No" asks what to do instead; Enter alone says only no.
    if (step.key === "n") await pressUntil(window, "\r", isBelow);
    await pressUntil(window, "\r", (rows) => !isBelow(rows) && !isOf(rows, step));
  }
  await window.waitFor("Enter sends · Esc skips");
  // A number marks its answer, and Enter sends it.
  await pressUntil(window, "2", (rows) => rows.some((row) => row.includes("› 2 ")));
  window.press("enter");
  await window.waitFor((rows) => rows.some((row) => row.includes("ten decisions")));
}
