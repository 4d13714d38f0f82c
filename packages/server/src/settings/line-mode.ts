import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import type { SettingKey } from "@harness/protocol";
import { type ConfigPaths, configPathsOf } from "@harness/storage/paths";

const KEY = "line_mode" satisfies SettingKey;

/**
 * Whether the person's settings ask for plain lines. The window is not open yet: nearly always a look at one small file
 * answers, and only a file or variable that names the setting has the settings loaded.
 */
export async function wantsLines(env: NodeJS.ProcessEnv): Promise<boolean> {
  const configPaths = configPathsOf(env, env.HOME ?? homedir());
  if (!env.HARNESS_LINE_MODE && !isNamedIn(configPaths)) return false;
  const { loadSettings } = await import("@harness/storage");
  return loadSettings({ configPaths, cwd: configPaths.root, env, flags: {} }).values[KEY];
}

function isNamedIn({ settings }: ConfigPaths): boolean {
  try {
    return readFileSync(settings, "utf8").includes(KEY);
  } catch {
    return false;
  }
}
