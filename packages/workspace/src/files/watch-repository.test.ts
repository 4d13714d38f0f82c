import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { watchRepository } from "./watch-repository.ts";

const who = ["-c", "user.name=t", "-c", "user.email=t@localhost"];
let root: string;
let changes: number;
let unwatch: () => void;

const git = (...args: string[]) => execFileSync("git", [...who, ...args], { cwd: root, stdio: "ignore" });
const file = (path: string, content: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
};

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "harness-watch-")));
  changes = 0;
  git("init", "--quiet");
  file("src/a", "1");
  git("add", ".");
  git("commit", "--quiet", "-m", "one");
  unwatch = await watchRepository(root, () => {
    changes += 1;
  });
});
afterEach(() => {
  unwatch();
  rmSync(root, { recursive: true, force: true });
});

/** Resolves once each of several writes to the file is reported: polling all folders would report only one. */
async function toBeWatched(path: string): Promise<void> {
  let told = 0;
  let before = Number.POSITIVE_INFINITY;
  await vi.waitFor(
    () => {
      told = changes > before ? told + 1 : 0;
      before = changes;
      writeFileSync(join(root, path), String(performance.now()));
      expect(told).toBe(3);
    },
    { timeout: 20_000, interval: 100 },
  );
}

it("follows a folder that comes back with another branch", async () => {
  git("checkout", "--quiet", "-b", "other");
  file("lib/x", "1");
  git("add", ".");
  git("commit", "--quiet", "-m", "two");
  await toBeWatched("lib/x");
  git("checkout", "--quiet", "--force", "-");
  await toBeWatched("src/a");
  git("checkout", "--quiet", "--force", "-");
  await toBeWatched("lib/x");
});

it("follows folders that stay empty for a while, and those in them", async () => {
  mkdirSync(join(root, "src/new/deep"), { recursive: true });
  await vi.waitFor(() => expect(changes).toBeGreaterThan(1), { timeout: 20_000 });
  await toBeWatched("src/new/deep/x");
});
