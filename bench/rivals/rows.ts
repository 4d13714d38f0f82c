/** harness's aim for a row: a figure, or a multiple of a rival's in the same measurement. */
export type Aim = { readonly atMost: number; readonly of?: "codex" | "pi" | "node -e 0" | "the best rival" };

export type RivalRow = {
  readonly name: string;
  readonly unit: "ms" | "s" | "MB" | "kB" | "%";
  /** How many of the measured unit make one `unit`. */
  readonly divisor?: number;
  /** Absent: only observed. */
  readonly aims?: readonly Aim[];
};

const best = { atMost: 1, of: "the best rival" } as const;

/** By the name under which a figure is measured and stored, in the order of the table. */
export const rivalRows: Readonly<Record<string, RivalRow>> = {
  versionWall: { name: "`--version`: wall", unit: "ms", aims: [{ atMost: 1.3, of: "node -e 0" }] },
  oneShotWall: { name: "one-shot, no tools: wall", unit: "ms", aims: [{ atMost: 0.7, of: "codex" }] },
  oneShotCpu: { name: "– CPU", unit: "ms" },
  firstRequestBytes: { name: "– size of its first request", unit: "kB", divisor: 1_000, aims: [{ atMost: 9 }] },
  toolTurnsWork: {
    name: "30 tool turns: first request to last answer",
    unit: "ms",
    aims: [{ atMost: 0.6, of: "pi" }],
  },
  toolTurnsCpu: { name: "– CPU of the whole run", unit: "ms" },
  tokensWall: { name: "20,000 tokens headless: wall", unit: "ms", aims: [{ atMost: 0.6, of: "codex" }] },
  tokensCpu: { name: "– CPU", unit: "ms" },
  shellsWork: { name: "8 shell calls of 0.5 s in one turn", unit: "ms", aims: [{ atMost: 0.95, of: "pi" }] },
  recordingWall: {
    name: "a session of 2,000 messages: recorded",
    unit: "s",
    divisor: 1_000,
    aims: [{ atMost: 0.7, of: "pi" }],
  },
  recordingCpu: { name: "– CPU", unit: "s", divisor: 1_000 },
  resumeWall: { name: "– resumed, with one more prompt: wall", unit: "ms", aims: [{ atMost: 0.6, of: "codex" }] },
  resumeCpu: { name: "– CPU", unit: "ms" },
  resumeBytes: { name: "– size of that request", unit: "kB", divisor: 1_000 },
  inputBox: { name: "window: input box takes keys", unit: "ms", aims: [{ atMost: 0.8, of: "codex" }] },
  idleRss: {
    name: "window and what serves it, idle: memory, sum of RSS",
    unit: "MB",
    aims: [{ atMost: 110 }, { atMost: 1, of: "pi" }],
  },
  idlePss: { name: "– shared pages once (PSS)", unit: "MB", aims: [{ atMost: 110 }, { atMost: 1, of: "pi" }] },
  echoIdle: { name: "window: echo of a key, idle", unit: "ms", aims: [best] },
  echoStream: { name: "window: echo while 200 tokens/s stream", unit: "ms", aims: [best] },
  streamCpu: { name: "window: CPU at 200 tokens/s", unit: "%", aims: [best] },
  burst: { name: "window: 20,000 tokens at once", unit: "ms", aims: [best] },
};
