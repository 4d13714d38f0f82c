import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestHome } from "../../../test/harness-process.ts";
import { runInProcess } from "../../../test/in-process.ts";

const KEY = "sk-ant-api03-aB3dE5fG7hJ9kL2mN4pQ6rS8tU";

let server: ModelServer;
let place: TestHome;
let sessionId: string;
let trajectory: string;

beforeAll(async () => {
  server = await startModelServer({
    scenario: {
      turns: [turns.call("bash", { command: "ls" }), turns.say(`It is <b>done</b> with ${KEY}.`, { repeat: "always" })],
    },
  });
  place = new TestHome(server.environment);
  trajectory = join(place.cwd, "run.json");
  writeFileSync(trajectory, "of an earlier run");
  const run = await place.run(["run", "--allow", "bash", "--trajectory", "run.json", "-n", "the first", "do it"]);
  expect(run).toMatchObject({ code: 0 });
  ({ sessionId } = JSON.parse((await runInProcess(place, ["sessions", "--json"])).stdout).sessions[0]);
});
afterAll(async () => {
  place.remove();
  await server.close();
});

const inFolder = (name: string) => join(place.cwd, name);
const exportTo = (...args: string[]) => runInProcess(place, ["session", "export", sessionId, ...args]);

describe("harness session export", () => {
  it("writes Markdown beside the work, to a file that only the person can read", async () => {
    const path = inFolder(`${sessionId}.md`);
    expect(await exportTo()).toMatchObject({ code: 0, stdout: expect.stringContaining(`Written to ${path} (`) });
    expect(readFileSync(path, "utf8")).toMatch(/^> do it\n\n- /);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.each([
    [["-o", "a.html"], "a.html", /^<!doctype html>[\s\S]*It is &lt;b&gt;done/],
    [["-o", "a.json"], "a.json", /^\{"format":"harness-session"/],
    [["-o", "a.atif.json"], "a.atif.json", /^\{"schema_version":"ATIF-v1.7"/],
    [["-o", "a.txt", "--format", "atif"], "a.txt", /^\{"schema_version"/],
    [["--format", "html"], undefined, /^<!doctype/],
  ])("takes the format from %j", async (args, name, beginning) => {
    expect(await exportTo(...args)).toMatchObject({ code: 0, stderr: "" });
    const text = readFileSync(inFolder(name ?? `${sessionId}.html`), "utf8");
    expect(text).toMatch(beginning);
    expect(text).toContain("[secret ");
    expect(text).not.toContain(KEY);
  });

  it("replaces a file with --force alone, and says how", async () => {
    const path = inFolder("mine.md");
    writeFileSync(path, "mine\n");
    expect(await exportTo("-o", "mine.md")).toMatchObject({
      code: 2,
      stderr: `harness: Nothing was written: ${path} exists. Name another file with -o, or add --force.\n`,
    });
    expect(readFileSync(path, "utf8")).toBe("mine\n");
    expect(await exportTo("-o", "mine.md", "--force")).toMatchObject({ code: 0 });
    expect(readFileSync(path, "utf8")).toContain("> do it");
    expect(await exportTo("-o", place.cwd, "--force")).toMatchObject({
      code: 2,
      stderr: `harness: -o: ${place.cwd} is a folder. Name a file in it.\n`,
    });
  });

  it("writes no secrets where nobody can be asked", async () => {
    expect(await exportTo("--raw", "-o", "raw.md")).toMatchObject({
      code: 2,
      stderr: "harness: --raw writes secrets into the file, and asks first: it needs a terminal.\n",
    });
    expect(existsSync(inFolder("raw.md"))).toBe(false);
  });

  it("writes to stdout with -o -", async () => {
    const { code, stdout } = await place.run(["session", "export", sessionId, "--format", "json", "-o", "-"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ session: { sessionId, cwd: place.cwd, title: "the first" } });
  });

  it("writes a bundle to stdout, too", async () => {
    const { code, stdout } = await place.run(["session", "export", sessionId, "--format", "bundle", "-o", "-"]);
    expect(code).toBe(0);
    expect(stdout.length).toBeGreaterThan(100);
  });

  it.each([
    [["-o", "talk.txt"], "-o: talk.txt does not end in .md, .html, .json, .atif.json or .harness.gz. Add --format"],
    [["-o", "talk"], "Add --format"],
    [["-o", "/dev/stdout", "--force", "--format", "md"], "-o: /dev/stdout is not a regular file."],
    [["-o", "-", "--json"], "--json is for an export to a file: leave it out with -o -. --format json writes"],
    [["-o", "-", "--force"], "--force is for an export to a file: leave it out with -o -."],
  ])("refuses %j", async (args, problem) => {
    expect(await exportTo(...args)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(problem) });
  });

  it("writes a bundle that goes on in another folder", async () => {
    const bundle = join(place.root, "moved.harness.gz");
    expect(await exportTo("-o", bundle)).toMatchObject({ code: 0 });
    const elsewhere = join(place.root, "elsewhere");
    mkdirSync(elsewhere);
    const args = ["session", "import", bundle, "--cd", elsewhere, "--json"];
    const imported = JSON.parse((await runInProcess(place, args)).stdout);
    expect(imported).toMatchObject({ cwd: elsewhere, from: "a bundle", messages: 3 });
    expect(imported.sessionId).not.toBe(sessionId);
    expect(await place.run(["run", "-r", imported.sessionId, "go on"], { cwd: elsewhere })).toMatchObject({ code: 0 });
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain("do it");
  });

  it("knows no session that is not there", async () => {
    expect(await runInProcess(place, ["session", "export", "nope"])).toMatchObject({ code: 7 });
  });
});

describe("harness run --trajectory", () => {
  it("writes what was done in ATIF, in place of what an earlier run has left", () => {
    const { steps, agent } = JSON.parse(readFileSync(trajectory, "utf8"));
    expect(agent.name).toBe("harness");
    expect(steps.map(({ source }: { source: string }) => source)).toContain("agent");
    expect(steps.find(({ tool_calls: calls }: { tool_calls?: unknown }) => calls)).toMatchObject({
      tool_calls: [{ function_name: "bash", arguments: { command: "ls" } }],
      observation: { results: [{ content: expect.any(String) }] },
    });
  });

  it("writes to stdout in place of the answer", async () => {
    const { code, stdout } = await place.run(["run", "--trajectory", "-", "again"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ schema_version: "ATIF-v1.7" });
  });

  it("refuses a pipe before anything is done, and leaves no file where the run does not start", async () => {
    const before = server.requests.length;
    execFileSync("mkfifo", [inFolder("pipe")]);
    expect(await place.run(["run", "--trajectory", "pipe", "again"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--trajectory: pipe is not a regular file. Name another file, or - for stdout."),
    });
    expect(await place.run(["run", "--trajectory", "-", "--output-format", "json", "again"])).toMatchObject({
      code: 2,
    });
    const refused = ["run", "--trajectory", "new.json", "-o", "new.txt", "-r", "nothing", "again"];
    expect((await place.run(refused)).code).not.toBe(0);
    expect(existsSync(inFolder("new.json"))).toBe(false);
    expect(existsSync(inFolder("new.txt"))).toBe(false);
    expect(server.requests.length).toBe(before);
    expect(statSync(trajectory).mode & 0o777).toBe(0o600);
  });
});
