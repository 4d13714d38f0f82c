import { mkdir, rm } from "node:fs/promises";
import { commandTurns } from "./headless-rows.ts";
import type { Participant } from "./participant.ts";
import { inTurn, type Measured } from "./rounds.ts";

/** The prompt, a call and its result per turn, the answer. */
const MESSAGES = 2_000;
const RESUMES = 5;
/** A call and its result are more than this in every wire format. */
const LEAST_BYTES = (MESSAGES / 2) * 100;

/**
 * Records a session of 2,000 messages in one run of a thousand tool turns, then continues it with one more prompt. A
 * recording takes a minute or more and begins with an empty folder of sessions, so there is no warm-up round.
 */
export async function sessionRows(
  participants: readonly Participant[],
  counted: number,
): Promise<Record<string, Measured>> {
  const recorded = await inTurn(participants, { counted, warmUps: 0 }, async (participant) => {
    const { contender } = participant;
    await forgetSessions(participant);
    const turns = [...commandTurns(contender, MESSAGES / 2 - 1), { text: "Done." }];
    const { wallMs, cpuMs } = await participant.run(contender.once("do it"), { turns });
    return { recordingWall: wallMs, recordingCpu: cpuMs };
  });
  const resumed = await inTurn(participants, { counted: counted * RESUMES, warmUps: 1 }, async (participant) => {
    const { wallMs, cpuMs, requests } = await participant.run(participant.contender.again("and now?"), {
      turns: [{ text: "Done." }],
    });
    const [first] = requests;
    if (first === undefined || first.bodyBytes < LEAST_BYTES)
      throw new Error(`It asked with ${first?.bodyBytes} bytes: the session was not continued.`);
    return { resumeWall: wallMs, resumeCpu: cpuMs, resumeBytes: first.bodyBytes };
  });
  return { ...recorded, ...resumed };
}

/** Resets the home to its state after the installation. */
async function forgetSessions({ contender, place }: Participant): Promise<void> {
  await rm(place.home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  await mkdir(place.home, { mode: 0o700 });
  contender.configure(place);
}
