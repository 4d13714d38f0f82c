import type { ToolItem } from "@harness/protocol";
import { sanitiseLine } from "../text/sanitise.ts";

/** A verb in the forms for a call that waits, runs, and ran. */
type Verb = readonly [waits: string, runs: string, ran: string];

/** Beginnings of titles as the tools write them, with a verb for people; the rest of the title is the argument. */
const verbs: readonly (readonly [start: string, verb: Verb])[] = [
  ["bash in the background:", ["Start in the background", "Starting in the background", "Started in the background"]],
  ["bash", ["Run", "Running", "Ran"]],
  ["read", ["Read", "Reading", "Read"]],
  ["write", ["Write", "Writing", "Wrote"]],
  ["edit", ["Edit", "Editing", "Edited"]],
  ["ls", ["List", "Listing", "Listed"]],
  ["glob", ["Find files", "Finding files", "Found files"]],
  ["grep", ["Search for", "Searching for", "Searched for"]],
  ["search the code for", ["Search the code for", "Searching the code for", "Searched the code for"]],
  ["search the web for", ["Search the web for", "Searching the web for", "Searched the web for"]],
  ["find the definition of", ["Find the definition of", "Finding the definition of", "Found the definition of"]],
  ["fetch", ["Fetch", "Fetching", "Fetched"]],
  ["question", ["Ask", "Asking", "Asked"]],
  ["todo", ["Tasks", "Tasks", "Tasks"]],
  ["process list", ["List processes", "Listing processes", "Listed processes"]],
  ["process output", ["Read the output of", "Reading the output of", "Read the output of"]],
  ["process input", ["Send input to", "Sending input to", "Sent input to"]],
  ["process stop", ["Stop", "Stopping", "Stopped"]],
  ["send_message", ["Tell", "Telling", "Told"]],
  ["start_subagent", ["Start an agent", "Starting an agent", "Started an agent"]],
  ["agent_changes", ["Changes of an agent:", "Changes of an agent:", "Changes of an agent:"]],
  ["agent", ["Start an agent", "Starting an agent", "Started an agent"]],
  ["list_agents", ["List agents", "Listing agents", "Listed agents"]],
  ["stop_agent", ["Stop the agent", "Stopping the agent", "Stopped the agent"]],
  ["switch_mode", ["Change the mode to", "Changing the mode to", "Changed the mode to"]],
  ["tool_search", ["Look for tools:", "Looking for tools:", "Looked for tools:"]],
  ["skill", ["Read the skill", "Reading the skill", "Read the skill"]],
  ["auto_compact", ["Summarise older messages", "Summarising older messages", "Summarised older messages"]],
  ["recall", ["Recall", "Recalling", "Recalled"]],
  ["screenshot", ["Take a picture of the screen", "Taking a picture of the screen", "Took a picture of the screen"]],
];

/** The title of a call in words for people. A tool without a verb has its own name in its place. */
export function spokenTitle({ title, name, ...call }: SpokenCall): { verb: string; argument: string } {
  const text = sanitiseLine(title || name);
  const found = verbs.find(([start]) => text === start || text.startsWith(`${start} `));
  if (found) return { verb: found[1][tenseOf(call)], argument: text.slice(found[0].length + 1) };
  const end = text.indexOf(" ");
  return end < 0 ? { verb: text, argument: "" } : { verb: text.slice(0, end), argument: text.slice(end + 1) };
}

/** The title in one line; the user's own command as it is. */
export function spokenLine(call: SpokenCall & Pick<ToolItem, "byPerson">): string {
  if (call.byPerson) return sanitiseLine(call.title);
  const { verb, argument } = spokenTitle(call);
  return `${verb} ${argument}`.trimEnd();
}

type SpokenCall = Pick<ToolItem, "title" | "name" | "status" | "outcome" | "review">;

/**
 * A call that failed or was refused did not do what it says, and staged edits are not written yet: they are named as
 * wanted. A command that failed has run.
 */
function tenseOf({ status, outcome, review }: Pick<SpokenCall, "status" | "outcome" | "review">): 0 | 1 | 2 {
  if (review && (review.state !== "decided" || review.taken === 0)) return 0;
  const hasRun = outcome?.status === "error" && outcome.blocks.some(({ type }) => type === "terminal");
  if (outcome) return outcome.status === "ok" || hasRun ? 2 : 0;
  if (status === "completed") return 2;
  return status === "in_progress" ? 1 : 0;
}
