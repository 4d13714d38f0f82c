import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inspectEnv, loadEnv } from "./dotenv.ts";

let home = "";

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "harness-env-"));
  mkdirSync(join(home, "project", "deep"), { recursive: true });
});

afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

function put(folder: string, text: string): string {
  const path = join(home, folder, ".env");
  writeFileSync(path, text);
  return path;
}

const deep = () => join(home, "project", "deep");

describe("loadEnv", () => {
  it("takes the nearest file alone, and never overrides the environment", () => {
    put(".", "FAR=1");
    const path = put("project", "NEAR=2\nGIVEN=file");
    const before = { GIVEN: "env", EMPTY: "" };
    const loaded = inspectEnv(deep(), before, home);
    expect(loaded).toEqual({ env: { GIVEN: "env", EMPTY: "", NEAR: "2" }, path, problems: [] });
    expect(before).toEqual({ GIVEN: "env", EMPTY: "" });
    expect(process.env.NEAR).toBeUndefined();
  });

  it("looks no further up than home", () => {
    put(".", "A=1");
    expect(loadEnv(deep(), {}, join(home, "project"))).toEqual({});
    expect(loadEnv(deep(), {}, home)).toEqual({ A: "1" });
  });

  it("passes by a folder of that name, and a folder that is not there", () => {
    mkdirSync(join(home, "project", ".env"));
    put(".", "A=1");
    expect(loadEnv(join(deep(), "gone"), {}, home)).toEqual({ A: "1" });
  });

  it("names lines that it cannot read, without what they hold", () => {
    put("project", "A=1\nsecret stuff\n");
    const { env, problems } = inspectEnv(deep(), {}, home);
    expect(env).toEqual({ A: "1" });
    expect(problems).toEqual([expect.stringContaining("cannot read line 2")]);
    expect(problems[0]).not.toContain("secret");
  });

  it.skipIf(process.getuid?.() === 0)("says when a file cannot be read", () => {
    const path = put("project", "A=1");
    chmodSync(path, 0);
    expect(inspectEnv(deep(), {}, home).problems).toEqual([`${path} could not be read (EACCES).`]);
  });

  it("does not read what is far too large", () => {
    put("project", `A=${"x".repeat(1024 * 1024)}`);
    expect(inspectEnv(deep(), {}, home)).toMatchObject({ env: {}, problems: [expect.stringContaining("1 MB")] });
  });
});

describe("an address from a file", () => {
  it("does not get a key from the environment", () => {
    const path = put("project", "OPENAI_BASE_URL=https://elsewhere.example/v1");
    const { env, problems } = inspectEnv(deep(), { OPENAI_API_KEY: "sk-mine" }, home);
    expect(env).toEqual({ OPENAI_API_KEY: "sk-mine" });
    expect(problems).toEqual([expect.stringContaining(`${path}: OPENAI_BASE_URL was ignored`)]);
    expect(problems[0]).not.toContain("sk-mine");
  });

  it.each([
    ["with its own key", "OPENAI_BASE_URL=https://elsewhere.example/v1\nOPENAI_API_KEY=theirs", {}],
    ["near by", "OPENAI_BASE_URL=http://127.0.0.1:8000/v1", { OPENAI_API_KEY: "sk-mine" }],
    ["where there is no key", "OPENAI_BASE_URL=https://elsewhere.example/v1", {}],
  ])("counts %s", (_name, text, env) => {
    put("project", text);
    const loaded = inspectEnv(deep(), env, home);
    expect(loaded.env.OPENAI_BASE_URL).toMatch(/^http/);
    expect(loaded.problems).toEqual([]);
  });
});
