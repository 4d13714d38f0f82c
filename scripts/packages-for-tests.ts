// A step of `npm test`, before vitest: installs the programs of others that tests run for real, once per version. They
// are not dependencies of harness. Without them, as on a machine without network, `npm test` skips their tests.
import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Without network the answer comes in seconds. */
const RETRIES = ["--fetch-retries=2", "--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=2000"];
const folders = ["packages/lsp/servers-for-tests", "e2e/acp/clients-for-tests"];

for (const name of folders) {
  const folder = resolve(import.meta.dirname, "..", name);
  const wanted = join(folder, "package-lock.json");
  /** A copy of the list of packages that is installed. */
  const installed = join(folder, "node_modules/.installed.json");
  if (textOf(installed) === textOf(wanted)) continue;
  const { description } = JSON.parse(textOf(join(folder, "package.json")) ?? "{}");
  process.stderr.write(`harness: tests need what ${name} lists (npm ci in it, once). ${description}\n`);
  const { status } = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", ...RETRIES], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status === 0) copyFileSync(wanted, installed);
  else process.stderr.write("harness: it could not be installed, so those tests are skipped.\n");
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
