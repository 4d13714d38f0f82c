import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { harnessCommand } from "../headless.ts";
import { rivalsFolder } from "./install.ts";

const root = resolve(import.meta.dirname, "../..");

/**
 * harness as people have it: a built checkout in which nobody has run an npm script. Where somebody has, each start looks
 * whether sources have changed, which only those who work on them pay for. Returns its command.
 */
export function ownCheckout(): string {
  // Builds what is not fresh.
  execFileSync(harnessCommand, ["help"], { stdio: ["ignore", "ignore", "inherit"] });
  const folder = join(rivalsFolder, "harness");
  rmSync(folder, { recursive: true, force: true });
  for (const name of [".runtime/bin", ".git"]) mkdirSync(join(folder, name), { recursive: true });
  for (const name of ["bin", "dist"])
    cpSync(join(root, name), join(folder, name), { recursive: true, preserveTimestamps: true });
  for (const name of ["packages", "package.json", "package-lock.json", "node_modules"])
    symlinkSync(join(root, name), join(folder, name));
  symlinkSync(process.execPath, join(folder, ".runtime/bin/node"));
  writeFileSync(join(folder, ".git/index"), "");
  return join(folder, "bin/harness");
}
