import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { closeConfigFolder } from "./close-config-folder.ts";
import { type ConfigPaths, configPathsOf } from "./config-paths.ts";
import { loadSettings } from "./settings/load-settings.ts";

let base = "";
let configPaths: ConfigPaths;
const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "private-"));
  configPaths = configPathsOf({ HARNESS_HOME: join(base, "home") }, base);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function open(): void {
  for (const path of [configPaths.root, configPaths.conversations, configPaths.logs]) {
    mkdirSync(path);
    chmodSync(path, 0o755);
  }
  writeFileSync(configPaths.settings, "{}");
  chmodSync(configPaths.settings, 0o644);
}

describe("a config folder that others can read", () => {
  it("becomes private with its content as soon as the settings are read", () => {
    open();
    const { problems } = loadSettings({ configPaths, cwd: base, env: {}, flags: {} });
    expect(problems).toEqual([]);
    expect([configPaths.root, configPaths.conversations, configPaths.logs, configPaths.settings].map(modeOf)).toEqual([
      "700",
      "700",
      "700",
      "600",
    ]);
  });

  it("is not created, and keeps a stricter mode", () => {
    expect(closeConfigFolder(configPaths)).toEqual([]);
    expect(existsSync(configPaths.root)).toBe(false);
    mkdirSync(configPaths.root, { mode: 0o500 });
    expect(closeConfigFolder(configPaths)).toEqual([]);
    expect(modeOf(configPaths.root)).toBe("500");
  });

  it("stays open when it is shared, while the folders of harness in it become private", () => {
    open();
    chmodSync(configPaths.root, 0o1777);
    expect(closeConfigFolder(configPaths)).toEqual([]);
    expect([configPaths.root, configPaths.conversations].map(modeOf)).toEqual(["1777", "700"]);
  });

  it("leaves the mode of a device or a pipe alone, which others may need", () => {
    execFileSync("mkfifo", [configPaths.root]);
    chmodSync(configPaths.root, 0o666);
    expect(closeConfigFolder(configPaths)).toEqual([]);
    expect(modeOf(configPaths.root)).toBe("666");
  });

  it("leaves the mode of a linked settings file alone", () => {
    mkdirSync(configPaths.root);
    writeFileSync(join(base, "dotfile"), "{}", { mode: 0o644 });
    symlinkSync(join(base, "dotfile"), configPaths.settings);
    expect(closeConfigFolder(configPaths)).toEqual([]);
    expect(modeOf(join(base, "dotfile"))).toBe("644");
  });
});

describe.skipIf(process.getuid?.() !== 0)("a config folder of another user", () => {
  it("is reported and not changed", () => {
    open();
    chownSync(configPaths.root, 12_345, 12_345);
    const { problems } = loadSettings({ configPaths, cwd: base, env: {}, flags: {} });
    expect(problems).toEqual([
      `${configPaths.root} belongs to another user, who can read your conversations and change your settings. ` +
        "Set HARNESS_HOME to a folder of your own.",
    ]);
    expect(modeOf(configPaths.root)).toBe("755");
  });
});
