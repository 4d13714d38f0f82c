import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { atomicWrite, ChangedMeanwhile } from "./atomic-write.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "harness-write-")));
});
afterEach(() => rmSync(folder, { recursive: true }));

const statOf = (path: string) => statSync(path, { bigint: true });

describe("an atomic write", () => {
  it("keeps the old content when the disk takes only a part of the new", () => {
    const path = join(folder, "x");
    writeFileSync(path, "old");
    const program = `
      const { atomicWrite } = await import(${JSON.stringify(new URL("./atomic-write.ts", import.meta.url).href)});
      const { statSync } = await import("node:fs");
      process.on("SIGXFSZ", () => undefined);
      const before = statSync(${JSON.stringify(path)}, { bigint: true });
      const code = await atomicWrite(${JSON.stringify(path)}, Buffer.alloc(1_000_000), before).catch((e) => e.code);
      console.log(code);`;
    // Blocks of 512 or 1024 bytes: in either case far less than is written.
    const command = 'ulimit -f 64; exec "$0" --input-type=module -e "$1"';
    const { stdout } = spawnSync("sh", ["-c", command, process.execPath, program], { encoding: "utf8" });
    expect(stdout.trim()).toBe("EFBIG");
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["x"]);
  });

  it("leaves the complete old or new content when the process is killed", async () => {
    const path = join(folder, "x");
    writeFileSync(path, "");
    const program = `
      const { atomicWrite } = await import(${JSON.stringify(new URL("./atomic-write.ts", import.meta.url).href)});
      const { statSync } = await import("node:fs");
      const path = ${JSON.stringify(path)};
      for (let i = 0; ; i++) {
        await atomicWrite(path, Buffer.alloc(3_000_000, "ab"[i % 2]), statSync(path, { bigint: true }));
        console.log(i);
      }`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    child.stdout.on("data", (text) => {
      if (String(text).includes("5")) child.kill("SIGKILL");
    });
    await once(child, "exit");
    const bytes = readFileSync(path);
    expect(bytes.length).toBe(3_000_000);
    expect(bytes.every((byte) => byte === bytes[0])).toBe(true);
  });

  it("does not overwrite a change that was made meanwhile", async () => {
    const path = join(folder, "x");
    writeFileSync(path, "old");
    const before = statOf(path);
    writeFileSync(`${path}2`, "theirs");
    renameSync(`${path}2`, path);
    await expect(atomicWrite(path, Buffer.from("ours"), before)).rejects.toBeInstanceOf(ChangedMeanwhile);
    await expect(atomicWrite(path, Buffer.from("ours"))).rejects.toBeInstanceOf(ChangedMeanwhile);
    expect(readFileSync(path, "utf8")).toBe("theirs");
    expect(readdirSync(folder)).toEqual(["x"]);
  });

  it("does not write through a folder that has become a link", async () => {
    mkdirSync(join(folder, "real"));
    symlinkSync("real", join(folder, "sub"));
    await expect(atomicWrite(join(folder, "sub", "x"), Buffer.from("x"))).rejects.toBeInstanceOf(ChangedMeanwhile);
    expect(readdirSync(join(folder, "real"))).toEqual([]);
  });

  it("keeps the owner if it is allowed to", async () => {
    const path = join(folder, "x");
    writeFileSync(path, "old");
    if (process.getuid?.() === 0) chownSync(path, 1234, 1234);
    const before = statOf(path);
    const stamp = await atomicWrite(path, Buffer.from("new"), before);
    const now = statOf(path);
    expect([now.uid, now.gid, now.mode]).toEqual([before.uid, before.gid, before.mode]);
    expect(stamp).toMatchObject({ sizeBytes: 3, mtimeNs: now.mtimeNs });
  });

  it("removes only files that a crash left long ago", async () => {
    const names = [".harness-0123456789ab.tmp", ".harness-ba9876543210.tmp", ".harness-notes.tmp"];
    for (const name of names) writeFileSync(join(folder, name), "");
    for (const name of [names[0], names[2]]) utimesSync(join(folder, String(name)), 1, 1);
    await atomicWrite(join(folder, "x"), Buffer.from("x"));
    expect(names.map((name) => existsSync(join(folder, name)))).toEqual([false, true, true]);
  });
});
