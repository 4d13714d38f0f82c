import type { Turn } from "../turn/turn.ts";
import { askPerson } from "./ask-person.ts";

/** Asks whether the turn should go on. Returns false if nobody can be asked, or the answer is no. */
export async function askToContinue(turn: Turn, message: string): Promise<boolean> {
  const options = [
    { optionId: "continue", name: "Continue" },
    { optionId: "stop", name: "Stop" },
  ];
  const answer = await askPerson(turn, { message, options, freeText: false }, turn.signal);
  return "optionId" in answer && answer.optionId === "continue" && !turn.signal.aborted;
}
