import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SocketLocations } from "./socket-locations.ts";

let base: string;
const env = () => ({ XDG_RUNTIME_DIR: base });
const place = (config = "config") => new SocketLocations(env(), join(base, config));

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "hs-")));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

it("makes a folder for this person alone, and names the socket after the process", () => {
  const path = place().own();
  expect(path).toMatch(new RegExp(`^${base}/harness/[0-9a-f]{10}-${process.pid}\\.sock$`));
  writeFileSync(path, "");
  expect(place().of(process.pid)).toBe(path);
  expect(place().all()).toEqual([{ pid: process.pid, path }]);
});

it("servers of another configuration are not seen", () => {
  writeFileSync(place("other").own(), "");
  expect(place().all()).toEqual([]);
});

it("what dead processes left is removed, whichever configuration they had", () => {
  const own = place().own();
  const left = own.replace(`${process.pid}`, `${2 ** 22 - 1}`);
  writeFileSync(left, "");
  expect(place("other").all()).toEqual([]);
  expect(existsSync(left)).toBe(false);
});

it("other files in the folder are left alone", () => {
  place().open();
  const path = join(base, "harness", "notes");
  writeFileSync(path, "");
  expect(place().all()).toEqual([]);
  expect(existsSync(path)).toBe(true);
});

it.each([
  ["a folder that others may use", (path: string) => mkdirSync(path, { mode: 0o755 }), /used by other users/],
  ["a link", (path: string) => symlinkSync(base, path), /not a folder/],
  [
    "a folder in one that others may change",
    (path: string) => {
      mkdirSync(path, { mode: 0o700 });
      chmodSync(base, 0o777);
    },
    /put a folder of theirs/,
  ],
])("refuses %s, with what to do", (_name, prepare, words) => {
  prepare(join(base, "harness"));
  expect(() => place().own()).toThrow(words);
  expect(() => place().own()).toThrow(/XDG_RUNTIME_DIR/);
  expect(() => place().all()).toThrow(words);
});

it("refuses a path that is too long for a socket", () => {
  const long = { XDG_RUNTIME_DIR: join(base, "x".repeat(90)) };
  expect(() => new SocketLocations(long, base).own()).toThrow(/too long/);
});

it("without a runtime folder it is below the temporary one", () => {
  const { folder } = new SocketLocations({ TMPDIR: base }, base);
  expect([join(base, `harness-${process.getuid?.()}`), `/run/user/${process.getuid?.()}/harness`]).toContain(folder);
});
