import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { vi } from "vitest";

/** A folder full of difficult files for tools, next to a second one that they must not see. */
export type HostileFolder = { root: string; top: string; spill(suffix: string): string; remove(): void };

export function hostilePlace(): HostileFolder {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "tool-contract-")));
  const root = join(top, "root");
  const outside = join(top, "outside");
  const spills = mkdtempSync(join(tmpdir(), "tool-spills-"));
  mkdirSync(join(root, "sub"), { recursive: true });
  mkdirSync(outside);
  const files: Record<string, string | Uint8Array> = {
    "plain.txt": "line one\nline two\n",
    "crlf.txt": "one\r\ntwo\r\n",
    "bom.txt": "\uFEFFone\n",
    "utf16.txt": Buffer.from("\uFEFFone\ntwo\n", "utf16le"),
    "latin1.txt": Buffer.from("caf\xe9\n", "latin1"),
    "empty.txt": "",
    "binary.bin": Uint8Array.from({ length: 5000 }, (_, i) => (i * 7) % 256),
    "pixel.png": Buffer.from(PIXEL, "base64"),
    "long-line.txt": "a".repeat(2_000_000),
    "name with spaces.txt": "x\n",
    "-rf": "x\n",
    "new\nline.txt": "x\n",
    "closed.txt": "x\n",
    ".env": "KEY=line one\n",
    ".gitignore": "ignored/\n",
    "sub/inner.ts": "export const a = 1;\n",
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(root, name), content);
  writeFileSync(join(outside, "secret.txt"), "line one\na canary\n");
  writeFileSync(join(outside, "canary.txt"), "line one\na canary\n");
  symlinkSync("loop", join(root, "loop"));
  symlinkSync("nowhere", join(root, "dangling"));
  symlinkSync(join(outside, "secret.txt"), join(root, "link-out.txt"));
  symlinkSync(outside, join(root, "folder-out"));
  chmodSync(join(root, "closed.txt"), 0);
  execFileSync("mkfifo", [join(root, "fifo")]);
  // No tool searches the home of the user who runs the tests.
  vi.stubEnv("HOME", top);
  return {
    root,
    top,
    spill(suffix) {
      const path = join(mkdtempSync(join(spills, "x")), `output${suffix}`);
      writeFileSync(path, "", { mode: 0o600, flag: "wx" });
      return path;
    },
    remove() {
      vi.unstubAllEnvs();
      rmSync(top, { recursive: true, force: true });
      rmSync(spills, { recursive: true, force: true });
    },
  };
}

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Every path with enough data to detect a change. */
export function snapshot({ top }: HostileFolder): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of readdirSync(top, { recursive: true, encoding: "utf8" })) {
    const path = join(top, name);
    const stats = lstatSync(path, { bigint: true });
    const target = stats.isSymbolicLink() ? readlinkSync(path) : "";
    // A folder's own times change with its content, and that is listed.
    found.set(
      path,
      stats.isDirectory() ? "folder" : `${stats.mode} ${stats.size} ${stats.mtimeNs} ${stats.ino} ${target}`,
    );
  }
  return found;
}

export function folderChanges(before: Map<string, string>, after: Map<string, string>): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path));
}

/** The announced path itself, or a folder that had to be created for it. */
export function touches(announced: string, changed: string): boolean {
  return announced === changed || announced.startsWith(changed + sep);
}

/** Resolves links of the part that exists, as the gate sees a path. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realOf(parent), path.slice(parent === sep ? 1 : parent.length + 1));
  }
}
