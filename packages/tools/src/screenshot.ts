import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  cancelledResult,
  defineTool,
  errorResult,
  type ToolApproval,
  type ToolContext,
  type ToolResult,
} from "@harness/core";
import { shellWord } from "@harness/host";
import * as z from "zod";
import { childEnvironment } from "./environment/child-environment.ts";
import { fileProblem } from "./files/file-problem.ts";
import { realPathNow } from "./files/judged-path.ts";
import { imageInfo } from "./images/image-info.ts";
import { screenProgram } from "./images/screen-programs.ts";
import { shownImage } from "./images/shown-image.ts";
import { OwnProcess } from "./process/own-process.ts";
import { callMark, newCallId } from "./process/process-mark.ts";
import { type CommandRun, runCommand } from "./process/run-command.ts";
import { openWorkingFolder } from "./process/working-folder.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";

const MAX_MS = 30_000;
const MAX_SAID_CHARS = 500;
/** Variables that a program needs to reach the screen; no other command gets them. */
const SCREEN_VARIABLES =
  "DISPLAY XAUTHORITY WAYLAND_DISPLAY XDG_RUNTIME_DIR XDG_SESSION_TYPE XDG_CURRENT_DESKTOP DBUS_SESSION_BUS_ADDRESS".split(
    " ",
  );

const args = z.strictObject({
  description: z.string().optional().describe("What you want to see"),
});

export type ScreenshotOptions = {
  platform?: NodeJS.Platform;
  env?: Readonly<Record<string, string | undefined>>;
  /** The session's sandbox, which the screen is outside of. */
  sandbox?: Sandbox | undefined;
};

/** A picture of the user's screen, taken by a system program. */
export function createScreenshot({ platform = process.platform, env = process.env, sandbox }: ScreenshotOptions) {
  const program = () => screenProgram(platform, env, env.PATH ?? "");
  const outside = sandbox !== undefined && sandbox.wanted !== "off" ? { outside: true } : {};
  return defineTool<z.infer<typeof args>>({
    name: "screenshot",
    description: "Takes a picture of the person's whole screen.",
    args,
    category: "readOnly",
    offer: "when-found",
    effects(_call, cwd) {
      const found = program();
      if ("problem" in found) return [];
      return [{ kind: "run", command: [found.file, ...found.args].map(shellWord).join(" "), cwd, ...outside }];
    },
    title: () => "screenshot",
    async preview() {
      const found = program();
      if ("problem" in found) return found;
      return [
        { type: "text", text: `Takes a screenshot of the whole screen with ${found.name} and sends it to the model.` },
      ];
    },
    async run(_call, context, approval) {
      if (context.signal.aborted) return cancelledResult("no screenshot was taken.");
      if (approval.sandboxed) return errorResult("The screen cannot be seen from inside the sandbox.");
      const folder = await openWorkingFolder({ cwd: context.cwd, realPaths: approval.realPaths });
      if ("problem" in folder) return errorResult(folder.problem);
      const at = await mkdtemp(join(tmpdir(), "harness-screen-"));
      try {
        return await takePicture({ platform, env }, at, context, approval);
      } catch (error) {
        return errorResult(`The screenshot could not be saved: ${fileProblem(error)}.`);
      } finally {
        await rm(at, { recursive: true, force: true });
        await folder.leave();
      }
    },
  });
}

type Surroundings = Required<Pick<ScreenshotOptions, "platform" | "env">>;

async function takePicture(
  { platform, env }: Surroundings,
  folder: string,
  context: ToolContext,
  { roots }: ToolApproval,
): Promise<ToolResult> {
  const own = new OwnProcess();
  const plain = childEnvironment(env, {}, callMark(newCallId(), own), { roots, real: realPathNow });
  const program = screenProgram(platform, env, plain.PATH ?? "");
  if ("problem" in program) return errorResult(program.problem);
  const file = join(folder, "screen.png");
  const words = [program.file, ...program.args, file];
  const seen = Object.fromEntries(SCREEN_VARIABLES.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  const problem = await run({ words, cwd: folder, env: { ...plain, ...seen }, signal: context.signal, own });
  if (context.signal.aborted) return cancelledResult("no screenshot was taken.");
  const bytes = await readFile(file).catch(() => undefined);
  const info = bytes && imageInfo(bytes);
  if (!bytes || !info) return errorResult(`${program.name} took no screenshot${problem ? `: ${problem}` : ""}.`);
  const path = context.spill(".png");
  await writeFile(path, bytes);
  const result = await shownImage({ bytes, info, path, shown: "The screen" }, context.signal);
  return "problem" in result ? errorResult(result.problem) : result;
}

/** The program's error output on one line. */
async function run(
  command: Pick<CommandRun, "cwd" | "env" | "signal" | "own"> & { words: string[] },
): Promise<string | undefined> {
  let output = "";
  const end = await runCommand({
    ...command,
    command: command.words.map(shellWord).join(" "),
    timeoutMs: MAX_MS,
    take(bytes) {
      if (output.length < MAX_SAID_CHARS) output += bytes.toString();
      return true;
    },
  });
  if ("problem" in end) return end.problem;
  if (end.reason === "timeout") return "it did not end in 30 seconds";
  return output.trim().replace(/\s+/g, " ").slice(0, MAX_SAID_CHARS).toWellFormed() || undefined;
}
