import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileStamps } from "@harness/host";
import { afterEach, beforeEach, expect, it } from "vitest";
import { EnvFiles } from "./env-files.ts";

let base = "";
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "files-"));
  for (const name of ["home/harness", "project"]) mkdirSync(join(base, name), { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const turnOfLoop = () => new Promise((done) => setImmediate(done));
const project = () => join(base, "project");

function open(trust = { isTrusted: () => false, wouldHaveEffect: () => true }): EnvFiles {
  const places = { home: join(base, "home"), configFolder: join(base, "home/harness") };
  return new EnvFiles(project(), { env: { LANG: "C" }, places, trust, stamps: new FileStamps() });
}

it("the environment of a folder is the same object until a file comes, changes or goes", async () => {
  const files = open();
  const before = files.environment;
  expect(before).toEqual({ env: { LANG: "C" }, paths: [], problems: [] });
  await turnOfLoop();
  expect(files.environment).toBe(before);
  const file = join(base, "home/.env");
  writeFileSync(file, "A=1\n");
  await turnOfLoop();
  expect(files.environment).toMatchObject({ env: { LANG: "C", A: "1" }, paths: [file] });
  writeFileSync(file, "A=22\n");
  await turnOfLoop();
  expect(files.environment.env.A).toBe("22");
  rmSync(file);
  await turnOfLoop();
  expect(files.environment).toEqual(before);
});

it("the file of a project counts as soon as it is trusted, and no longer", async () => {
  let isTrusted = false;
  const files = open({ isTrusted: () => isTrusted, wouldHaveEffect: () => true });
  const file = join(project(), ".env");
  writeFileSync(file, "OPENAI_API_KEY=k\n");
  expect(files.environment).toMatchObject({ env: { LANG: "C" }, untrusted: file });
  isTrusted = true;
  expect(files.environment).toMatchObject({ env: { OPENAI_API_KEY: "k" }, paths: [file] });
  isTrusted = false;
  expect(files.environment.env.OPENAI_API_KEY).toBeUndefined();
});

it("variables that come on top leave nothing behind", () => {
  const files = open();
  expect(files.with({ LANG: "de" }).env).toEqual({ LANG: "de" });
  expect(files.environment.env).toEqual({ LANG: "C" });
});
