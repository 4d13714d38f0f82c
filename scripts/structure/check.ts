// Prints violations of the structure's rules, one line per finding. Part of `npm run check`.
import { rules } from "./findings.ts";
import { readSourceFiles } from "./source-files.ts";

const files = readSourceFiles();
if (files.length < 1000) throw new Error(`Only ${files.length} source files were found.`);
const findings = Object.values(rules).flatMap((rule) => rule(files));
for (const finding of findings) process.stdout.write(`${finding}\n`);
if (findings.length > 0) process.exitCode = 1;
