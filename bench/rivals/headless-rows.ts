import type { ScenarioInput, TurnInput } from "@harness/testkit";
import type { Contender } from "./contenders.ts";
import type { HeadlessRun, Participant } from "./participant.ts";
import { inTurn, type Measured } from "./rounds.ts";

const TOOL_TURNS = 30;
const SHELLS = 8;

const ending: TurnInput = { text: "Done." };

/** `count` turns, each with one command. */
export function commandTurns({ shell }: Contender, count: number): TurnInput[] {
  return Array.from({ length: count }, (_, n) => ({ toolCalls: [shell(`echo ${n}`)] }));
}

/** From the first request to the last byte of the last answer. */
function workMs({ requests }: HeadlessRun): number {
  const [first] = requests;
  return (requests.at(-1)?.lastByteAtMs ?? Number.NaN) - (first?.receivedAtMs ?? Number.NaN);
}

type Figures = Readonly<Record<string, number>>;
type Task = {
  readonly scenario: (contender: Contender) => ScenarioInput;
  readonly figures: (run: HeadlessRun, participant: Participant) => Figures;
};

const tasks: readonly Task[] = [
  {
    scenario: () => ({ turns: [ending] }),
    figures: (run) => ({
      oneShotWall: run.wallMs,
      oneShotCpu: run.cpuMs,
      firstRequestBytes: run.requests[0]?.bodyBytes ?? Number.NaN,
    }),
  },
  {
    scenario: (contender) => ({ turns: [...commandTurns(contender, TOOL_TURNS), ending] }),
    figures: (run) => ({ toolTurnsWork: workMs(run), toolTurnsCpu: run.cpuMs }),
  },
  {
    scenario: () => ({ turns: [{ generate: { tokens: 20_000 } }] }),
    figures: (run) => ({ tokensWall: run.wallMs, tokensCpu: run.cpuMs }),
  },
  {
    scenario: ({ shell }) => ({
      turns: [{ toolCalls: Array.from({ length: SHELLS }, (_, n) => shell(`sleep 0.5; echo ${n}`)) }, ending],
    }),
    figures: (run) => ({ shellsWork: workMs(run) }),
  },
];

/** Rows without a terminal: each task by all in turn, so that measurements close in time are compared. */
export async function headlessRows(
  participants: readonly Participant[],
  counted: number,
): Promise<Record<string, Measured>> {
  const rows: Record<string, Measured> = {};
  for (const { scenario, figures } of tasks) {
    const found = await inTurn(participants, { counted }, async (participant) => {
      const { contender } = participant;
      return figures(await participant.run(contender.once("do it"), scenario(contender)), participant);
    });
    Object.assign(rows, found);
  }
  return rows;
}

/** A start that does nothing, next to a Node that does nothing. */
export async function versionRows(
  participants: readonly Participant[],
  counted: number,
): Promise<Record<string, Measured>> {
  return inTurn(participants, { counted }, async (participant): Promise<Figures> => {
    const { wallMs } = await participant.run(participant.contender.version, { turns: [] });
    if (participant.contender.rival) return { versionWall: wallMs };
    return { versionWall: wallMs, nodeWall: await participant.timeOfEmptyNode() };
  });
}
