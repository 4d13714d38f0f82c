import type { LiveEntry } from "../../sessions/live-entry.ts";

/** A turn, the person's own command, edits that are being taken, and the agents in the background end one after another. */
const KINDS_OF_WORK = 4;

/** Ends all that a session does, and says so to those who follow it; `by`: the program that wanted it. */
export async function stopWork({ session, processes }: LiveEntry, by: string): Promise<void> {
  session.warn(
    `This session was stopped (${by}).`,
    "What it was doing has ended, also in the background; messages that waited were not sent. Your next message goes on with it.",
  );
  // The end of the turn would start the next message.
  for (const { promptId } of [...session.state.queue]) session.unqueue(promptId);
  for (let kind = 0; kind < KINDS_OF_WORK; kind += 1) if (!session.cancel()) break;
  const running = processes.running().filter(({ isKept }) => !isKept);
  await Promise.all(running.map((each) => processes.stop(each, "person")));
}
