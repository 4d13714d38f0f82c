import type { OpenTerminal } from "@harness/testkit/terminal";
import { pressUntil } from "./proof.ts";

const has = (rows: string[], what: string) => rows.some((row) => row.includes(what));

/** The empty input of the main agent, while idle and while it works. */
const MAIN_INPUT = /> (?:Ask anything ·|Enter sends with)/;

/** Called when the screen shows what the name says. */
export type OnView = (name: "asked" | "tree" | "reader" | "stopped") => void;

/** The walk through the scenario `two-agents`: open an agent, read it live, write to it, stop the other. */
export async function takeAgentWalk(window: OpenTerminal, onView: OnView): Promise<void> {
  await window.waitFor("Ask anything · / commands · @ files");
  window.type("who uses sum, and how fast is it?");
  await window.waitFor("how fast is it?");
  window.press("enter");
  await window.waitFor("for its task: Measure sum()");
  onView("asked");
  await window.waitFor("Yes, once");
  await pressUntil(window, "\r", (rows) => !has(rows, "Yes, once"));
  await window.waitFor(/◇ 2 agents/);
  window.press("ctrl+x", "a");
  // Behind the tree, the transcript says "agent-2 running".
  const isTree = (rows: string[]) => rows.some((row) => /(?<!-)2 running/.test(row));
  await window.waitFor((rows) => isTree(rows) && has(rows, "Going through the other files"));
  onView("tree");
  window.press("down");
  window.press("enter");
  await window.waitFor((rows) => has(rows, "Esc back") && has(rows, "still looking."));
  onView("reader");
  window.type("look into the README as well");
  await window.waitFor("> look into the README as well");
  window.press("enter");
  await window.waitFor("The README does not name");
  window.press("escape");
  // A key right after Escape would be read as one with Alt.
  await window.waitFor(MAIN_INPUT);
  window.press("ctrl+x", "a");
  await window.waitFor("1 running, 1 done");
  window.press("end");
  window.type("s");
  await window.waitFor("Press s again to stop");
  window.type("s");
  await window.waitFor("1 done, 1 stopped");
  onView("stopped");
  window.press("escape");
  await window.waitFor(MAIN_INPUT);
  await window.waitFor("the measurement was stopped");
}
