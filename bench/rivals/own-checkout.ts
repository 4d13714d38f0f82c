import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { harnessCommand } from "../headless.ts";
import { rivalsFolder } from "./install.ts";

const root = resolve(import.meta.dirname, "../..");

/**
 * harness as users have it: a built checkout that never ran an npm script. After one, each start checks whether sources
 * have changed, which only developers pay for. Returns its command. Throws if the copy is rebuilt: bundled through
 * linked packages, it would be a different program.
 */
export function ownCheckout(): string {
  // Builds whatever is outdated.
  start(harnessCommand);
  const folder = join(rivalsFolder, "harness");
  rmSync(folder, { recursive: true, force: true });
  for (const name of [".runtime/bin", ".git"]) mkdirSync(join(folder, name), { recursive: true });
  // Preserves all times: a file, a folder or a link that is newer than the bundle counts as a change.
  const copied = ["bin", "dist", "package.json", "package-lock.json"];
  execFileSync("cp", ["-a", ...copied.map((name) => join(root, name)), folder]);
  for (const name of ["packages", "node_modules"]) symlinkSync(join(root, name), join(folder, name));
  symlinkSync(process.execPath, join(folder, ".runtime/bin/node"));
  writeFileSync(join(folder, ".git/index"), "");
  const command = join(folder, "bin/harness");
  const builtAt = () => statSync(join(folder, "dist/built")).mtimeMs;
  const before = builtAt();
  start(command);
  if (builtAt() !== before) throw new Error(`${folder} was rebuilt at its first start, so it is not what people have.`);
  return command;
}

function start(command: string): void {
  execFileSync(command, ["help"], { stdio: ["ignore", "ignore", "inherit"] });
}
