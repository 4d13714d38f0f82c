// Prints what breaks a rule of the structure, one line a finding. Part of `npm run check`. `--all` adds the future rules.
import { futureRules, rules } from "./findings.ts";
import { readSourceFiles } from "./source-files.ts";

const files = readSourceFiles();
const asked = process.argv.includes("--all") ? { ...rules, ...futureRules } : rules;
const findings = Object.values(asked).flatMap((rule) => rule(files));
for (const finding of findings) process.stdout.write(`${finding}\n`);
if (findings.length > 0) process.exitCode = 1;
