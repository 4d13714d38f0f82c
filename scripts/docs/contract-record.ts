import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { features } from "./contract-features.ts";

// Runs the provider contract over every vendor and stores the results, for docs/providers.md: `npm run docs:contracts`.

const root = resolve(import.meta.dirname, "../..");
const TEST = "packages/providers/src/provider-contract.test.ts";

type Report = { testResults: { assertionResults: { ancestorTitles: string[]; title: string; status: string }[] }[] };

const folder = mkdtempSync(join(tmpdir(), "contracts-"));
const outputFile = join(folder, "report.json");
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const args = [vitest, "run", TEST, "--reporter=json", `--outputFile=${outputFile}`];
const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
const report = JSON.parse(readFileSync(outputFile, "utf8")) as Report;
rmSync(folder, { recursive: true });

const rows = new Map<string, Record<string, string>>();
for (const { ancestorTitles, title, status: outcome } of report.testResults.flatMap((each) => each.assertionResults)) {
  const about = / contract: as (?<vendor>\S+) speaks \((?<wire>\S+)\)/.exec(ancestorTitles[0] ?? "")?.groups;
  const feature = features.find(({ tests }) => tests.test(title));
  if (!about || !feature) continue;
  const key = `${about.vendor} ${about.wire}`;
  const row = rows.get(key) ?? {};
  row[feature.id] = worst(row[feature.id], outcome);
  rows.set(key, row);
}
writeFileSync(
  join(import.meta.dirname, "contracts.json"),
  `${JSON.stringify(Object.fromEntries(rows), undefined, 2)}\n`,
);
process.exitCode = status ?? 1;

function worst(before: string | undefined, now: string): string {
  const order = ["skipped", "passed", "failed"];
  return order.indexOf(now) > order.indexOf(before ?? "skipped") ? now : (before ?? "skipped");
}
