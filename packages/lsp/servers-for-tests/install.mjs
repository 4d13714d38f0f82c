// A step of `npm test`, before vitest: installs the language servers that the tests of packages/lsp run for real, once
// per version. They are not dependencies of harness. Without them, as on a machine without network, those tests are skipped.
import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";

const here = import.meta.dirname;
const wanted = join(here, "package-lock.json");
/** A copy of the list of packages that is installed. */
const installed = join(here, "node_modules/.installed.json");

const textOf = (path) => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
};

if (textOf(installed) !== textOf(wanted)) {
  process.stderr.write(
    `harness: the tests of language servers need pyright and bash-language-server (npm ci in ${here}, once).\n`,
  );
  const { status } = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: here,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status === 0) copyFileSync(wanted, installed);
  else process.stderr.write("harness: they could not be installed, so their tests are skipped.\n");
}
