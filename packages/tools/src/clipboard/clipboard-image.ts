import { tmpdir } from "node:os";
import { ProgramProcess, passedEnvironment } from "@harness/host";
import { wordList } from "@harness/protocol";
import { findProgram } from "../process/find-program.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Clipboard = "macos" | "windows" | "wayland" | "x11";

/**
 * A program that writes the clipboard's picture to stdout. `list`: arguments to list the available formats; `read`:
 * those to read one of them; `text`: how the bytes are written, if not unchanged.
 */
type ClipboardProgram = {
  name: string;
  on: Clipboard;
  list?: readonly string[];
  read(form: string): readonly string[];
  text?: "applescript" | "base64";
};

/** The readable formats, in order of preference. */
const forms = ["image/png", "image/jpeg", "image/webp", "image/gif", "image/bmp"];

const POWERSHELL =
  "Add-Type -AssemblyName System.Windows.Forms,System.Drawing; $i = [Windows.Forms.Clipboard]::GetImage(); " +
  "if ($i) { $m = New-Object IO.MemoryStream; $i.Save($m, [Drawing.Imaging.ImageFormat]::Png); " +
  "[Convert]::ToBase64String($m.ToArray()) }";
const powershell = ["-NoProfile", "-NonInteractive", "-STA", "-Command", POWERSHELL];

/** In the order in which they are tried. */
const programs: readonly ClipboardProgram[] = [
  { name: "wl-paste", on: "wayland", list: ["--list-types"], read: (form) => ["--no-newline", "--type", form] },
  {
    name: "xclip",
    on: "x11",
    list: ["-selection", "clipboard", "-target", "TARGETS", "-out"],
    read: (form) => ["-selection", "clipboard", "-target", form, "-out"],
  },
  { name: "pngpaste", on: "macos", read: () => ["-"] },
  { name: "osascript", on: "macos", read: () => ["-e", "the clipboard as «class PNGf»"], text: "applescript" },
  { name: "powershell.exe", on: "windows", read: () => powershell, text: "base64" },
];

const VARIABLES = "DISPLAY XAUTHORITY WAYLAND_DISPLAY XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS WSL_INTEROP".split(" ");
const MAX_BYTES = 30 * 1024 * 1024;
const MAX_MS = 10_000;

export type ClipboardContext = { platform: NodeJS.Platform; env: Environment };

/** `noProgram`: nothing here can read a clipboard, but a terminal may have a way. */
export type ClipboardImage = { bytes: Buffer } | { problem: string; noProgram?: boolean };

/** The picture in the user's clipboard, read by a program of the platform. Never rejects. */
export async function clipboardImage(context: ClipboardContext, signal: AbortSignal): Promise<ClipboardImage> {
  const kinds = clipboardsOf(context);
  const path = context.env.PATH ?? "";
  let isFound = false;
  for (const program of programs) {
    const file = kinds.includes(program.on) ? await findProgram(program.name, path) : undefined;
    if (file === undefined) continue;
    isFound = true;
    const bytes = await readWith(program, file, context.env, AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]));
    if (bytes) return { bytes };
  }
  return isFound
    ? { problem: "There is no image in the clipboard." }
    : { problem: missingPrograms(kinds), noProgram: true };
}

function clipboardsOf({ platform, env }: ClipboardContext): Clipboard[] {
  if (platform === "darwin") return ["macos"];
  if (platform === "win32") return ["windows"];
  return [
    ...(env.WAYLAND_DISPLAY ? (["wayland"] as const) : []),
    ...(env.DISPLAY ? (["x11"] as const) : []),
    ...(env.WSL_DISTRO_NAME || env.WSL_INTEROP ? (["windows"] as const) : []),
  ];
}

function missingPrograms(kinds: readonly Clipboard[]): string {
  const names = programs.filter(({ on }) => kinds.includes(on)).map(({ name }) => name);
  if (names.length === 0) return "There is no clipboard here: neither WAYLAND_DISPLAY nor DISPLAY is set.";
  return `Reading images from the clipboard needs ${wordList(names, "or")}, which is not installed.`;
}

async function readWith(
  { list, read, text }: ClipboardProgram,
  file: string,
  env: Environment,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const run = (args: readonly string[]) => outputOf(file, args, env, signal);
  const offered = list ? (await run(list))?.toString("utf8").split(/\s+/) : forms;
  const form = forms.find((each) => offered?.includes(each));
  if (form === undefined) return undefined;
  const output = await run(read(form));
  if (!output || output.length === 0) return undefined;
  if (text === undefined) return output;
  const words = output.toString("latin1").trim();
  if (text === "base64") return words === "" ? undefined : Buffer.from(words, "base64");
  const hex = /«data PNGf([\dA-F]+)»/i.exec(output.toString("utf8"))?.[1];
  return hex === undefined ? undefined : Buffer.from(hex, "hex");
}

/** The stdout of a program; undefined if it fails or writes too much. */
async function outputOf(
  path: string,
  args: readonly string[],
  env: Environment,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  if (signal.aborted) return undefined;
  const program = new ProgramProcess({ path, args, cwd: tmpdir(), env: passedEnvironment(env, VARIABLES) });
  const stop = () => program.abandon("SIGKILL");
  signal.addEventListener("abort", stop, { once: true });
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of program.output()) {
      bytes += piece.length;
      if (bytes > MAX_BYTES) {
        stop();
        return undefined;
      }
      pieces.push(piece);
    }
    const { code } = await program.ended;
    return code === 0 && !signal.aborted ? Buffer.concat(pieces) : undefined;
  } catch {
    return undefined;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
