import { accessSync, constants } from "node:fs";

/** A program that saves a picture of the whole screen to a file that does not exist yet. */
type ScreenProgram = { name: string; args: readonly string[]; on: readonly Screen[]; desktop?: RegExp };
type Screen = "macos" | "wayland" | "x11";

/** In the order in which they are tried; a desktop's own program comes first on that desktop. */
const programs: readonly ScreenProgram[] = [
  { name: "screencapture", args: ["-x", "-t", "png"], on: ["macos"] },
  { name: "grim", args: [], on: ["wayland"] },
  { name: "scrot", args: [], on: ["x11"] },
  { name: "maim", args: [], on: ["x11"] },
  { name: "import", args: ["-window", "root"], on: ["x11"] },
  { name: "gnome-screenshot", args: ["-f"], on: ["wayland", "x11"], desktop: /gnome|unity|cinnamon/i },
  { name: "spectacle", args: ["-b", "-n", "-f", "-o"], on: ["wayland", "x11"], desktop: /kde/i },
  { name: "xfce4-screenshooter", args: ["-f", "-s"], on: ["x11"], desktop: /xfce/i },
];

type Environment = Readonly<Record<string, string | undefined>>;

/** The program's absolute path, with its arguments before the file name; the problem is a sentence. */
export function screenProgram(
  platform: NodeJS.Platform,
  env: Environment,
  path: string,
): { file: string; name: string; args: readonly string[] } | { problem: string } {
  const screen = screenOf(platform, env);
  if (!screen) {
    const variables = platform === "linux" ? ": neither WAYLAND_DISPLAY nor DISPLAY is set" : ` on ${platform}`;
    return { problem: `There is no screen to capture here${variables}.` };
  }
  const fitting = programs.filter(({ on }) => on.includes(screen));
  const own = fitting.filter(({ desktop }) => desktop?.test(env.XDG_CURRENT_DESKTOP ?? ""));
  for (const { name, args } of new Set([...own, ...fitting])) {
    const file = inPath(name, path);
    if (file !== undefined) return { file, name, args };
  }
  const names = fitting.map(({ name }) => name).join(", ");
  return { problem: `No screenshot program is installed. harness can use: ${names}.` };
}

function screenOf(platform: NodeJS.Platform, env: Environment): Screen | undefined {
  if (platform === "darwin") return "macos";
  if (platform !== "linux" && platform !== "freebsd") return undefined;
  if (env.WAYLAND_DISPLAY) return "wayland";
  return env.DISPLAY ? "x11" : undefined;
}

/** Synchronous, because the gate must know which program would run before it asks. */
function inPath(name: string, path: string): string | undefined {
  for (const folder of path.split(":")) {
    if (!folder.startsWith("/")) continue;
    const file = `${folder.replace(/\/$/, "")}/${name}`;
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}
