import { homedir } from "node:os";
import { readRegularFile } from "@harness/host";
import type { SettingKey } from "@harness/protocol";
import { type ConfigPaths, configPathsOf } from "@harness/storage/paths";

/** Full screen, below the terminal's output, or plain lines instead of a window. */
export type WindowForm = "screen" | "inline" | "lines";

const MAX_BYTES = 1024 * 1024;
const KEYS = ["line_mode", "inline"] as const satisfies readonly SettingKey[];

/**
 * The form of the window according to the settings, which are not loaded yet: a look at one small file is nearly always
 * enough, and settings are loaded only if a file or variable names one of these.
 */
export async function windowForm(env: NodeJS.ProcessEnv): Promise<WindowForm> {
  const configPaths = configPathsOf(env, env.HOME ?? homedir());
  if (!env.HARNESS_LINE_MODE && !env.HARNESS_INLINE && !isNamedIn(configPaths)) return "screen";
  const { loadSettings } = await import("@harness/storage");
  const { values } = loadSettings({ configPaths, cwd: configPaths.root, env, flags: {} });
  if (values.line_mode) return "lines";
  return values.inline ? "inline" : "screen";
}

function isNamedIn({ settings }: ConfigPaths): boolean {
  try {
    const text = readRegularFile(settings, { maxBytes: MAX_BYTES, followLinks: true }).toString("utf8");
    return KEYS.some((key) => text.includes(key));
  } catch {
    return false;
  }
}
