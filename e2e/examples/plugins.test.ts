// The example plugins: each passes `plugin test`, and does what it says.
import { execFile } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const plugins = join(root, "examples/plugins");
const programs = globSync("*/{tools,commands,providers}/*", { cwd: plugins }).filter((path) => !path.endsWith(".conf"));

let folder: string;
let web: Server;
let model: ModelServer;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "plugins ")));
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src/a.py"), "one\n# TODO two\n");
  writeFileSync(join(folder, "big.txt"), "x\n".repeat(500));
  writeFileSync(join(folder, "data.json"), JSON.stringify({ users: [{ name: "Ann" }] }));
  writeFileSync(join(folder, "replies"), "First.\nSecond.\n");
  web = createServer((_request, answer) => {
    answer.setHeader("content-type", "text/html");
    answer.end(`<html><script>no()</script><p>Fish &amp; chips</p>${"<p>word</p>".repeat(20_000)}</html>`);
  });
  await new Promise<void>((done) => web.listen(0, "127.0.0.1", done));
  model = await startModelServer({ scenario: { turns: [turns.say("Hello.", { repeat: "always" })] } });
  env = {
    PATH: process.env.PATH,
    HOME: folder,
    HARNESS_HOME: join(folder, "home"),
    HARNESS_CWD: folder,
    CURL_API_URL: `${model.url}/v1`,
    CURL_API_KEY: "key-of-the-example",
    GATEWAY_URL: `${model.url}/v1`,
    GATEWAY_TOKEN: "token-of-the-example",
    REPLAY_FILE: join(folder, "replies"),
  };
  await run("git", ["init", "-q"], "");
  await run("git", ["config", "user.email", "ann@example.com"], "");
  await run("git", ["config", "user.name", "Ann"], "");
  await run("git", ["add", "-A"], "");
  await run("git", ["commit", "-qm", "First step"], "");
});
afterAll(async () => {
  web.close();
  await model.close();
  rmSync(folder, { recursive: true, force: true });
});

function run(
  file: string,
  args: readonly string[],
  input: string,
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((done) => {
    const child = execFile(file, args, { cwd: folder, env, maxBuffer: 10_000_000 }, (error, stdout, stderr) =>
      done({ code: typeof error?.code === "number" ? error.code : error ? 1 : 0, stdout, stderr }),
    );
    child.stdin?.on("error", () => undefined).end(input);
  });
}
const plugin = (path: string, args: readonly string[], input: unknown = "") =>
  run(join(plugins, path), args, typeof input === "string" ? input : JSON.stringify(input));

describe("the plugins of the examples", () => {
  it.each(["tools", "commands", "providers", "hooks.d/*"])("have one in sh, Python and Node each: %s", (kind) => {
    const found = globSync(`*/${kind}/*`, { cwd: plugins }).filter((path) => !path.endsWith(".conf"));
    const first = found.map((path) => readFileSync(join(plugins, path), "utf8").split("\n", 1)[0]);
    const languages = ["#!/bin/sh", "#!/usr/bin/env python3", "#!/usr/bin/env node"];
    expect(first).toEqual(expect.arrayContaining(languages));
  });

  it.each(programs)("%s passes the test of plugins", async (path) => {
    const given = path.endsWith("json_query")
      ? ["--input", JSON.stringify({ file: join(folder, "data.json") })]
      : path.endsWith("web_fetch")
        ? ["--input", JSON.stringify({ url: address() })]
        : [];
    const args = [join(root, "dist/harness.mjs"), "plugin", "test", join(plugins, path), "--json", ...given];
    const { code, stdout } = await run(process.execPath, args, "");
    const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string }[] };
    expect({ code, bad: checks.filter(({ status }) => status !== "ok") }).toEqual({ code: 0, bad: [] });
  });

  it("count lines, read values and fetch pages as tools", async () => {
    const lines = await plugin("line-count/tools/count_lines", ["--exec"], { folder: "." });
    expect(lines.stdout).toMatch(/^500 lines in 1 files: \.txt\n/);
    expect(lines.stdout).toContain("\n2 lines in 1 files: .py\n");
    const value = await plugin("json-query/tools/json_query", ["--exec"], { file: "data.json", path: "users[0].name" });
    expect(value.stdout).toBe('"Ann"\n');
    const gone = await plugin("json-query/tools/json_query", ["--exec"], { file: "data.json", path: "users[1]" });
    expect(gone).toMatchObject({ code: 1, stderr: "It did not work: there is no 1; what is there: 0\n" });
    const page = await plugin("web-fetch/tools/web_fetch", ["--exec"], { url: address() });
    expect(page.stdout).toMatch(/^Fish & chips/);
    expect(page.stdout).not.toContain("no()");
    expect(page.stdout).toMatch(/\n\[\d+ more characters\]\n$/);
    expect(page.stdout.length).toBeLessThan(50_100);
  });

  it("list commits, open ends and large files as commands", async () => {
    expect((await plugin("standup/commands/standup", [])).stdout).toMatch(/^- First step \(/);
    expect((await plugin("todos/commands/todos", [])).stdout).toBe("src/a.py:2:# TODO two\n");
    expect((await plugin("sizes/commands/sizes", ["1"])).stdout).toMatch(/^ +1000 {2}big\.txt\n$/);
  });

  it("answer as providers", async () => {
    const said = { role: "assistant", content: "First." };
    const again = await plugin("providers/providers/replay", ["--stream"], { messages: [said] });
    expect(again.stdout).toContain('"content": "Second."');
    const request = { model: "scripted-model", stream: true, messages: [{ role: "user", content: "hi" }] };
    const curl = await plugin("providers/providers/curl-api", ["--stream"], request);
    expect(curl).toMatchObject({ code: 0, stdout: expect.stringContaining("Hello") });
    expect(model.chatRequests.at(-1)?.headers.authorization).toBe("Bearer …mple");
  });
});

function address(): string {
  return `http://127.0.0.1:${(web.address() as AddressInfo).port}/`;
}
