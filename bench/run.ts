// Prints one table of medians. `npm run bench -- [headless|window] [--runs N]`
import { parseArgs } from "node:util";
import { type Figure, printTable } from "./figures.ts";
import { headlessFigures } from "./headless.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: "string", default: "5" } },
});
const wanted = new Set(positionals);
const times = Number(values.runs);
if (!Number.isInteger(times) || times < 1) {
  process.stderr.write(`--runs takes a whole number from 1, not ${values.runs}\n`);
  process.exit(2);
}
const isWanted = (name: string): boolean => wanted.size === 0 || wanted.has(name);

const figures: Figure[] = [];
if (isWanted("headless")) figures.push(...(await headlessFigures(times)));
if (isWanted("window")) {
  const { windowFigures } = await import("./window.ts");
  figures.push(...(await windowFigures(times)));
}
printTable(figures);
