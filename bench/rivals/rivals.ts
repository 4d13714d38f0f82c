import { execFileSync } from "node:child_process";
import { arch, availableParallelism, loadavg, platform, totalmem } from "node:os";
import { printRows } from "../figures.ts";
import { cellText, measuredRows, runsOf, takingPart, verdictTexts } from "./comparison.ts";
import { contenders } from "./contenders.ts";
import { headlessRows, versionRows } from "./headless-rows.ts";
import { installRival } from "./install.ts";
import type { Measurement } from "./measurement.ts";
import { ownCheckout } from "./own-checkout.ts";
import { Participant } from "./participant.ts";
import type { Measured } from "./rounds.ts";
import { sessionRows } from "./session-rows.ts";
import { windowRows } from "./window-rows.ts";

type Part = (participants: readonly Participant[], rounds: number) => Promise<Record<string, Measured>>;

/** A window takes ten seconds per round, a recording minutes, so they do fewer. */
const MOST_WINDOWS = 3;
const RECORDINGS = 1;

export const rivalParts: Readonly<Record<string, Part>> = {
  version: versionRows,
  headless: headlessRows,
  window: (participants, rounds) => windowRows(participants, Math.min(rounds, MOST_WINDOWS)),
  sessions: (participants) => sessionRows(participants, RECORDINGS),
};

const minuteLoad = (): number => Math.round((loadavg()[0] ?? 0) * 100) / 100;

/** Harness and the rivals that can be installed, in turn against a scripted server for each. */
export async function measureRivals(rounds: number, parts: readonly string[]): Promise<Measurement> {
  const startedAt = new Date().toISOString();
  const { participants, absent } = await gather();
  const loadBefore = minuteLoad();
  const rows: Measurement["rows"] = {};
  try {
    for (const part of parts) {
      const measured = (await rivalParts[part]?.(participants, rounds)) ?? {};
      for (const [row, values] of Object.entries(measured)) rows[row] = Object.fromEntries(values);
      for (const { contender, problems } of participants)
        if (problems.length > 0) absent[`${contender.name}, ${part}`] = problems.splice(0).join("; ");
    }
  } finally {
    for (const participant of participants) await participant.leave();
  }
  return {
    startedAt,
    load: [loadBefore, minuteLoad()],
    machine: `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${platform()} ${arch()}, Node ${process.version}`,
    versions: Object.fromEntries(
      participants.map(({ contender: { name, rival } }) => [name, rival?.version ?? commit()]),
    ),
    absent,
    rows: withYardstick(rows),
  };
}

/** Those that can be installed and started; for the others, why not. */
async function gather(): Promise<{ participants: Participant[]; absent: Record<string, string> }> {
  const participants: Participant[] = [];
  const absent: Record<string, string> = {};
  for (const contender of contenders) {
    const installed = contender.rival ? installRival(contender.name, contender.rival) : { program: ownCheckout() };
    if ("why" in installed) {
      absent[contender.name] = `could not be installed: ${installed.why}`;
      continue;
    }
    const participant = await Participant.enter(contender, installed.program);
    try {
      // Preparations of a first start belong to no figure.
      await participant.run(contender.version, { turns: [] });
      participants.push(participant);
    } catch (error) {
      absent[contender.name] = `does not start: ${error instanceof Error ? error.message : String(error)}`;
      await participant.leave();
    }
  }
  return { participants, absent };
}

/** Node was started next to harness; its figure moves to its own row. */
function withYardstick({ nodeWall, ...rows }: Measurement["rows"]): Measurement["rows"] {
  const runs = nodeWall?.harness;
  return runs ? { ...rows, versionWall: { ...rows.versionWall, "node -e 0": runs } } : rows;
}

function commit(): string {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: import.meta.dirname, encoding: "utf8" }).trim();
  } catch {
    return "this checkout";
  }
}

export function printMeasurement(measurement: Measurement): void {
  const names = takingPart([measurement]);
  const rows = measuredRows([measurement]).map(([id, row]) => [
    row.name,
    ...names.map((name) => cellText(row, runsOf([measurement], id, name))),
    verdictTexts(id, row, [measurement]),
  ]);
  const heads = names.map((name) => `${name} ${measurement.versions[name]}`);
  printRows(["figure", ...heads, "aim: harness"], rows);
  process.stdout.write(`Load: ${measurement.load.join(" before, ")} after.\n`);
  for (const [who, why] of Object.entries(measurement.absent)) process.stdout.write(`${who}: ${why}\n`);
}
