import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { clipboardImage } from "./clipboard-image.ts";

const root = mkdtempSync(join(tmpdir(), "harness clipboard "));
afterAll(() => rmSync(root, { recursive: true }));

const png = Buffer.from("89504e470d0a1a0a00ff", "hex");
writeFileSync(join(root, "shot"), png);

let folders = 0;
/** The clipboard of a system with these shell scripts installed. */
function clipboard(
  platform: NodeJS.Platform,
  variables: Record<string, string>,
  programs: Readonly<Record<string, string>>,
) {
  const folder = join(root, String(folders++));
  mkdirSync(folder);
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const env = { ...variables, PATH: `${folder}:/usr/bin:/bin` };
  return clipboardImage({ platform, env }, AbortSignal.timeout(20_000));
}

const shot = `cat '${root}/shot'`;
const wayland = { WAYLAND_DISPLAY: "wayland-1" };
const x11 = { DISPLAY: ":7" };
const lists = (types: string, read: string) =>
  `case "$*" in *list-types*|*TARGETS*) printf '${types}';; *) ${read};; esac`;

describe("the image in the clipboard", () => {
  it.each<[string, NodeJS.Platform, Record<string, string>, Record<string, string>]>([
    [
      "wl-paste",
      "linux",
      wayland,
      { "wl-paste": lists("text/html\\nimage/png\\n", `[ "$3" = image/png ] && ${shot}`) },
    ],
    ["xclip", "linux", x11, { xclip: lists("TARGETS\\nimage/png\\n", `[ "$4" = image/png ] && ${shot}`) }],
    [
      "another program where one has none",
      "linux",
      { ...wayland, ...x11 },
      { "wl-paste": "exit 1", xclip: lists("image/png", shot) },
    ],
    ["pngpaste", "darwin", {}, { pngpaste: shot }],
    [
      "osascript",
      "darwin",
      {},
      { pngpaste: "exit 1", osascript: `echo '«data PNGf${png.toString("hex").toUpperCase()}»'` },
    ],
    [
      "PowerShell under WSL",
      "linux",
      { WSL_DISTRO_NAME: "x" },
      { "powershell.exe": `printf '${png.toString("base64")}\\r\\n'` },
    ],
  ])("is read by %s", async (_name, platform, env, programs) => {
    expect(await clipboard(platform, env, programs)).toEqual({ bytes: png });
  });

  it.each<[string, NodeJS.Platform, Record<string, string>, Record<string, string>, object]>([
    [
      "words are in it",
      "linux",
      wayland,
      { "wl-paste": lists("text/plain", shot) },
      { problem: "There is no image in the clipboard." },
    ],
    [
      "it is empty",
      "darwin",
      {},
      { osascript: "echo nothing >&2; exit 1" },
      { problem: "There is no image in the clipboard." },
    ],
    [
      "PowerShell finds none",
      "linux",
      { WSL_INTEROP: "x" },
      { "powershell.exe": "exit 0" },
      { problem: "There is no image in the clipboard." },
    ],
    [
      "no program is installed",
      "linux",
      x11,
      {},
      { problem: "Reading images from the clipboard needs xclip, which is not installed.", noProgram: true },
    ],
    [
      "there is no screen",
      "linux",
      {},
      {},
      { problem: "There is no clipboard here: neither WAYLAND_DISPLAY nor DISPLAY is set.", noProgram: true },
    ],
  ])("is missing with words where %s", async (_what, platform, env, programs, answer) => {
    expect(await clipboard(platform, env, programs)).toEqual(answer);
  });

  it("gives a program the screen and no key of another service", async () => {
    const tells = `printf '%s' "$DISPLAY $OPENAI_API_KEY."`;
    const read = await clipboard("linux", { ...x11, OPENAI_API_KEY: "sk-1" }, { xclip: lists("image/png", tells) });
    expect(read).toEqual({ bytes: Buffer.from(":7 .") });
  });

  it("is not waited for once the call is cancelled", async () => {
    const env = { ...x11, PATH: root };
    writeFileSync(join(root, "xclip"), "#!/bin/sh\nsleep 60\n");
    chmodSync(join(root, "xclip"), 0o755);
    const read = await clipboardImage(
      { platform: "linux", env: { ...env, PATH: `${root}:/usr/bin:/bin` } },
      AbortSignal.abort(),
    );
    expect(read).toEqual({ problem: "There is no image in the clipboard." });
  });
});
