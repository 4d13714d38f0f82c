import { chmodSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTrial, type Trial } from "../test/trial.ts";
import { screenProgram } from "./images/screen-programs.ts";
import { createScreenshot } from "./screenshot.ts";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

let trial: Trial;
let bin: string;
beforeEach(() => {
  trial = createTrial();
  // Outside the workspace, whose programs are not run by name.
  bin = join(trial.root, "..", "bin");
  mkdirSync(bin);
});
afterEach(() => trial.remove());

function program(name: string, script: string): void {
  const path = trial.file(join("..", "bin", name), `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

const env = (more: object = {}) => ({ PATH: `${bin}:/usr/bin:/bin`, WAYLAND_DISPLAY: "wayland-0", ...more });
const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith("harness-screen-"));

describe("a screenshot", () => {
  it("shows the model the picture that the system's program took", async () => {
    program("grim", `[ -n "$WAYLAND_DISPLAY" ] && echo ${PIXEL} | base64 -d > "$1"`);
    const tool = createScreenshot({ platform: "linux", env: env() });
    const before = left();
    expect(tool.effects({}, "/w")).toEqual([{ kind: "run", command: join(bin, "grim"), cwd: "/w" }]);
    expect(await tool.preview?.({}, trial.context, trial.approval)).toMatchObject([
      { text: "Takes a screenshot of the whole screen with grim and sends it to the model." },
    ]);
    const { status, text, blocks, images } = await trial.run(tool, { description: "the window" });
    expect([status, text]).toEqual(["ok", "The screen: PNG image, 1 × 1 pixels, 70 bytes, image/png"]);
    expect(images).toEqual([{ type: "image", mimeType: "image/png", data: PIXEL }]);
    const [block] = blocks;
    expect(block?.type === "image" && readFileSync(block.path ?? "").toString("base64")).toBe(PIXEL);
    expect(left()).toEqual(before);
  });

  it.each([
    ["fails", "echo 'no permission' >&2; exit 1", /^grim took no screenshot: no permission\.$/],
    ["writes no picture", 'echo nonsense > "$1"', /^grim took no screenshot\.$/],
  ])("says so when the program %s", async (_what, script, words) => {
    program("grim", script);
    const result = await trial.run(createScreenshot({ platform: "linux", env: env() }), {});
    expect(result).toMatchObject({ status: "error", text: expect.stringMatching(words) });
  });

  it("is not taken from inside a sandbox, or by a program of the workspace", async () => {
    program("grim", "exit 1");
    const tool = createScreenshot({ platform: "linux", env: env() });
    expect((await trial.run(tool, {}, { sandboxed: true })).text).toMatch(/inside the sandbox/);
    const inside = await trial.run(tool, {}, { roots: [join(trial.root, "..")] });
    expect(inside.text).toMatch(/^No screenshot program is installed/);
  });

  it.each([
    ["linux", {}, "There is no screen to capture here: neither WAYLAND_DISPLAY nor DISPLAY is set."],
    ["win32", {}, "There is no screen to capture here on win32."],
    [
      "linux",
      { WAYLAND_DISPLAY: "x" },
      /^No screenshot program .* harness can use: grim, gnome-screenshot, spectacle\.$/,
    ],
  ] as const)("says what is missing on %s with %j", async (platform, variables, words) => {
    const tool = createScreenshot({ platform, env: { PATH: bin, ...variables } });
    expect(tool.effects({}, "/w")).toEqual([]);
    const preview = await tool.preview?.({}, trial.context, trial.approval);
    const problem = preview && "problem" in preview ? preview.problem : "";
    expect(problem).toMatch(words);
    expect((await trial.run(tool, {})).text).toBe(problem);
  });

  it.each([
    ["darwin", {}, "screencapture -x -t png"],
    ["linux", { WAYLAND_DISPLAY: "w" }, "grim"],
    ["linux", { WAYLAND_DISPLAY: "w", XDG_CURRENT_DESKTOP: "KDE" }, "spectacle -b -n -f -o"],
    ["linux", { WAYLAND_DISPLAY: "w", XDG_CURRENT_DESKTOP: "ubuntu:GNOME" }, "gnome-screenshot -f"],
    ["linux", { DISPLAY: ":0", XDG_CURRENT_DESKTOP: "XFCE" }, "xfce4-screenshooter -f -s"],
    ["linux", { DISPLAY: ":0" }, "scrot"],
  ] as const)("is taken by the desktop's own program first: %s %j", (platform, variables, expected) => {
    for (const name of ["screencapture", "grim", "spectacle", "gnome-screenshot", "xfce4-screenshooter", "scrot"]) {
      program(name, "");
    }
    const found = screenProgram(platform, variables, bin);
    expect("name" in found && [found.name, ...found.args].join(" ")).toBe(expected);
  });
});
