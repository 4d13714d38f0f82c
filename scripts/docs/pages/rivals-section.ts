import { cellText, measuredRows, runsOf, takingPart, verdictTexts } from "../../../bench/rivals/comparison.ts";
import { type Measurement, readMeasurements } from "../../../bench/rivals/measurement.ts";
import { table } from "./markdown-table.ts";

const BEGIN = "<!-- Made by `npm run docs` from bench/rivals.json. Do not edit. -->\n";
const END = "<!-- The end of what is made. -->";

/** `page` with the section about rivals according to these measurements; by default the stored ones. */
export function withRivals(page: string, measurements: readonly Measurement[] = readMeasurements()): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`docs/benchmarks.md has no place for the rivals: ${BEGIN}…${END}`);
  return page.slice(0, begin + BEGIN.length) + section(measurements) + page.slice(end);
}

function section(measurements: readonly Measurement[]): string {
  const [newest] = measurements.toReversed();
  if (newest === undefined) return "\nNothing is measured yet.\n\n";
  const names = takingPart(measurements);
  const heads = names.map((name) => `${name} ${measurements.findLast((each) => each.versions[name])?.versions[name]}`);
  const rows = measuredRows(measurements).map(([id, row]) => [
    row.name,
    ...names.map((name) => cellText(row, runsOf(measurements, id, name))),
    verdictTexts(id, row, measurements),
  ]);
  const days = measurements.map(({ startedAt, load }) => {
    return `${startedAt.slice(0, 16).replace("T", " ")} UTC, load ${load[0].toFixed(1)} to ${load[1].toFixed(1)}`;
  });
  const absences = [...new Set(measurements.flatMap(({ absent }) => Object.entries(absent).map(absence)))];
  return [
    `\n${newest.machine}. Measured ${measurements.length === 1 ? "once" : `${measurements.length} times`}: ${days.join("; ")}.`,
    "Each figure is the median of the newest measurement that has it, with the least and the most; behind an aim stands what\nharness reached in each measurement, oldest first.\n",
    table(["", ...heads, "aim of harness"], rows),
    absences.length === 0 ? "\n" : `\n${absences.map((text) => `- ${text}`).join("\n")}\n\n`,
  ].join("\n");
}

/** The first line says why; the screen's content follows it. */
const absence = ([who, why]: [string, string]): string => `${who}: ${why.split("\n", 1)[0]}`;
