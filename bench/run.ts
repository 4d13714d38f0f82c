// Prints one table of medians. `npm run bench -- [headless|window|providers|gate|sandbox|checkpoints|agents|agents-bomb|context|extensions|hooks|mcp|long-sessions|turn-cost|history|session-search|session-log|transcript] [--runs N] [--sessions N] [--largest MEGABYTES] [--log MEGABYTES]`
// `npm run bench -- rivals [--part version|headless|window|sessions]… [--keep]` measures other agents beside harness; it installs them
// from npm into the git-ignored .build/rivals. `--keep` adds the result to the data for docs/benchmarks.md.
// `npm run bench -- gate-fuzz [--lines N] [--seed N]` runs the random commands that the gate allows; it exits with 1 if one did harm.
// `npm run bench -- search` measures how fast code is indexed and searched; its 50,000 files take some minutes.
// `npm run bench -- search --history REPOSITORY… [--cases N] [--product]` asks what later commits say, and looks for the files
// that these changed; `--product` asks `harness search` instead of the ranking itself.
// `npm run bench -- search --annotations FOLDER REPOSITORY…` asks the questions of a published set: FOLDER has `repos.json` and
// `annotations/NAME.json` as in the benchmarks of github.com/MinishLab/semble.
// `npm run bench -- check` measures growth instead, and exits with 1 if time grows faster than its text.
import { parseArgs } from "node:util";
import { type Figure, printTable } from "./figures.ts";
import { headlessFigures } from "./headless.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "5" },
    /** For the arguments of a tool call; going up to 50 takes six minutes. */
    largest: { type: "string", default: "4" },
    part: { type: "string", multiple: true },
    keep: { type: "boolean", default: false },
    lines: { type: "string", default: "20000" },
    seed: { type: "string", default: "1" },
    /** Repositories with the histories that `search` asks about; more may follow. */
    history: { type: "string", multiple: true },
    /** A folder with published questions and their answers. */
    annotations: { type: "string" },
    /** Of each history, at most. */
    cases: { type: "string", default: "40" },
    product: { type: "boolean", default: false },
    /** Of a hundred kilobytes each: 10,000 are a gigabyte, in memory. */
    sessions: { type: "string", default: "500" },
    /** The long log of `session-log`. */
    log: { type: "string", default: "100" },
  },
});
const wanted = new Set(positionals);
const wholeNumber = (flag: "runs" | "largest" | "lines" | "seed" | "sessions" | "log" | "cases"): number => {
  const given = values[flag];
  const value = Number(given);
  if (Number.isInteger(value) && value > 0) return value;
  process.stderr.write(`--${flag} takes a whole number from 1, not ${given}\n`);
  process.exit(2);
};
const times = wholeNumber("runs");
const largest = wholeNumber("largest");
const isWanted = (name: string): boolean => wanted.size === 0 || wanted.has(name);

if (wanted.has("check")) {
  const { checkGrowth } = await import("./growth.ts");
  const [{ textGrowth }, { patternGrowth }] = await Promise.all([
    import("./text-growth.ts"),
    import("./hostile-patterns.ts"),
  ]);
  process.exit(checkGrowth([...patternGrowth, ...textGrowth]) ? 0 : 1);
}

if (wanted.has("gate-fuzz")) {
  const { fuzzGate } = await import("./gate-fuzz/gate-fuzz.ts");
  process.exit((await fuzzGate(wholeNumber("lines"), wholeNumber("seed"))) ? 0 : 1);
}

if (values.annotations !== undefined) {
  const { measureAnnotations } = await import("./search/annotations.ts");
  await measureAnnotations(
    values.annotations,
    positionals.filter((name) => name !== "search"),
  );
  process.exit(0);
}

if (values.history) {
  const { measureSearch } = await import("./search/search.ts");
  const repositories = [...values.history, ...positionals.filter((name) => name !== "search")];
  await measureSearch({ repositories, cases: wholeNumber("cases"), isProduct: values.product });
  process.exit(0);
}

if (wanted.has("rivals")) {
  const { measureRivals, printMeasurement, rivalParts } = await import("./rivals/rivals.ts");
  const parts = values.part ?? Object.keys(rivalParts);
  const measurement = await measureRivals(times, parts);
  printMeasurement(measurement);
  const { keepMeasurement } = await import("./rivals/measurement.ts");
  if (values.keep) keepMeasurement(measurement);
  process.exit(0);
}

const figures: Figure[] = [];
if (isWanted("headless")) figures.push(...(await headlessFigures(times)));
if (isWanted("window")) {
  const { windowFigures } = await import("./window.ts");
  figures.push(...(await windowFigures(times)));
}
if (isWanted("providers")) {
  const { providerFigures } = await import("./providers.ts");
  figures.push(...(await providerFigures(times, largest)));
}
if (isWanted("gate")) {
  const { gateFigures } = await import("./gate.ts");
  figures.push(...(await gateFigures(times)));
  const { hostilePatternFigures } = await import("./hostile-patterns.ts");
  figures.push(...hostilePatternFigures(times));
}
if (isWanted("sandbox")) {
  const { sandboxFigures } = await import("./sandbox.ts");
  figures.push(...(await sandboxFigures(times)));
}
if (isWanted("checkpoints")) {
  const { checkpointFigures } = await import("./checkpoints.ts");
  figures.push(...(await checkpointFigures(times)));
}
if (isWanted("agents")) {
  const { agentFigures } = await import("./agents.ts");
  figures.push(...(await agentFigures(times)));
}
if (isWanted("agents-bomb")) {
  const { bombFigures } = await import("./agents-bomb.ts");
  figures.push(...(await bombFigures(times)));
}
if (isWanted("hooks")) {
  const { hookFigures } = await import("./hooks.ts");
  figures.push(...(await hookFigures(times)));
}
if (isWanted("context")) {
  const { contextFigures } = await import("./context.ts");
  figures.push(...(await contextFigures()));
}
if (isWanted("extensions")) {
  const { extensionFigures } = await import("./extensions.ts");
  figures.push(...(await extensionFigures(times)));
}
if (isWanted("mcp")) {
  const { mcpFigures } = await import("./mcp.ts");
  figures.push(...(await mcpFigures(times)));
}
if (isWanted("long-sessions")) {
  const { extractFigures, longSessionFigures } = await import("./long-sessions.ts");
  figures.push(...(await longSessionFigures()), ...(await extractFigures()));
}
if (isWanted("turn-cost")) {
  const { turnCostFigures } = await import("./turn-cost.ts");
  figures.push(...(await turnCostFigures(times)));
}
if (isWanted("history")) {
  const { historyFigures } = await import("./history.ts");
  figures.push(...(await historyFigures(times)));
}
if (isWanted("session-search")) {
  const { sessionSearchFigures } = await import("./session-search.ts");
  figures.push(...(await sessionSearchFigures(times, wholeNumber("sessions"))));
}
if (isWanted("session-log")) {
  const { sessionLogFigures } = await import("./session-log.ts");
  figures.push(...(await sessionLogFigures(times, wholeNumber("log"))));
}
// With several minutes, only if asked for.
if (wanted.has("search")) {
  const { searchSpeedFigures } = await import("./search/speed.ts");
  figures.push(...(await searchSpeedFigures(times)));
}
if (isWanted("transcript")) {
  const { transcriptFigures } = await import("./transcript.ts");
  figures.push(...(await transcriptFigures()));
}
printTable(figures);
