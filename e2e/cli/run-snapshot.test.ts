import { execFile, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { bitmap, type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runFlags, startFlags } from "../../build/v8-flags.mjs";
import { TestHome } from "../../packages/cli/test/harness-process.ts";
import { gifOf, halfPng } from "../support/damaged-images.ts";

const root = join(import.meta.dirname, "../..");
const secret = randomBytes(12).toString("hex");
let server: ModelServer;
let place: TestHome;
let dist: string;
let launcher: string;

beforeAll(async () => {
  server = await startModelServer({ scenario: { turns: [turns.say("Hello.", { repeat: "always" })] } });
  place = new TestHome(server.environment);
  const checkout = join(place.root, "a checkout");
  dist = join(checkout, "dist");
  launcher = join(checkout, "bin/harness");
  for (const folder of ["bin", "dist", ".runtime/bin"]) mkdirSync(join(checkout, folder), { recursive: true });
  for (const name of ["harness", "runtime.sh", "prepare.sh", "snapshot.sh", "v8-flags.sh"])
    cpSync(join(root, "bin", name), join(checkout, "bin", name));
  for (const name of ["packages", "package.json", "package-lock.json", "node_modules"])
    symlinkSync(join(root, name), join(checkout, name));
  symlinkSync(process.execPath, join(checkout, ".runtime/bin/node"));
  symlinkSync(join(root, "dist/harness.mjs"), join(dist, "harness.mjs"));
  writeFileSync(join(dist, "built"), "[]");
  const make = `import { makeSnapshot } from ${JSON.stringify(join(root, "build/snapshot/make.mjs"))};
    const problem = await makeSnapshot(process.argv[1]);
    if (problem) throw new Error(problem);`;
  execFileSync(process.execPath, ["--input-type=module", "-e", make, dist], {
    env: { ...process.env, HARNESS_PROBE: secret },
    stdio: "pipe",
  });
});
afterAll(async () => {
  await server.close();
  place.remove();
});

const blob = () => join(dist, "run-snapshot.blob");
const stamp = () => join(dist, "run-snapshot.of");

async function run(args: readonly string[], env: Record<string, string> = {}, cwd = place.cwd): Promise<string> {
  const child = promisify(execFile)(launcher, ["run", ...args], { cwd, env: { ...place.env, ...env } });
  child.child.stdin?.end();
  const { stdout, stderr } = await child;
  expect(stderr).not.toContain("snapshot");
  return stdout;
}

/** True if a run starts from the snapshot, judging by its command line. */
async function startsFromIt(env: Record<string, string> = {}): Promise<boolean> {
  const held = await startModelServer({ scenario: { turns: [{ ...turns.say("never"), fault: { kind: "hang" } }] } });
  const child = spawn(launcher, ["run", "wait"], {
    cwd: place.cwd,
    env: { ...place.env, ...held.environment, ...env },
    stdio: "ignore",
  });
  try {
    await held.hanging();
    return execFileSync("ps", ["-o", "args=", "-p", String(child.pid)], { encoding: "utf8" }).includes(
      "--snapshot-blob",
    );
  } finally {
    child.kill("SIGKILL");
    await held.close();
  }
}

describe("a run from the start-up snapshot", () => {
  it("answers as any run, and has ids, folder, environment and time zone of its own", async () => {
    expect(await startsFromIt()).toBe(true);
    const seen = server.chatRequests.length;
    const folders = ["one", "two"].map((name) => join(place.root, name));
    for (const folder of folders) {
      mkdirSync(folder);
      writeFileSync(join(folder, "AGENTS.md"), `Rules of ${folder}.`);
    }
    const [a = "", b = ""] = folders;
    const json = ["--output-format", "json", "hi"];
    const first = JSON.parse(await run(json, { TZ: "Pacific/Kiritimati" }, a));
    const second = JSON.parse(await run(json, { TZ: "Etc/GMT+12" }, b));
    expect([first.result, second.result]).toEqual(["Hello.", "Hello."]);
    const bodies = server.chatRequests.slice(seen).map(({ body }) => JSON.stringify(body));
    expect(bodies.map((body) => folders.map((folder) => body.includes(`Rules of ${folder}.`)))).toEqual([
      [true, false],
      [false, true],
    ]);
    const dates = bodies.map((body) => /Today: (\d{4}-\d\d-\d\d)/.exec(body)?.[1]);
    // These zones are 26 hours apart.
    expect(dates[0]).not.toBe(dates[1]);
    const logs = [first, second].map(({ sessionId }) =>
      readFileSync(join(place.home, "conversations", sessionId, "log.jsonl"), "utf8"),
    );
    const ids = logs.map((log) => log.match(/"(?:sessionId|promptId|turnId|messageId)":"[^"]+"/g)?.map(String) ?? []);
    expect(ids[0]?.length).toBeGreaterThan(3);
    expect(ids[0]?.filter((id) => ids[1]?.includes(id))).toEqual([]);
  });

  it("reads commands by the shell's grammar", async () => {
    // Without the grammar, it is unknown what `sh` would run.
    const command = 'touch "a b" && sh -c "touch c"';
    const told = await startModelServer({ scenario: { turns: [turns.call("bash", { command }), turns.say("Done.")] } });
    try {
      await run(["--allow", "bash(touch *)", "--allow", "bash(sh -c *)", "go"], told.environment);
      expect(readdirSync(place.cwd).sort()).toEqual(["a b", "c"]);
    } finally {
      await told.close();
    }
  });

  it("reads it into large pages, and leaves no trace of that to commands", async () => {
    const told = await startModelServer({
      scenario: {
        turns: [
          turns.call("bash", { command: 'echo "[$GLIBC_TUNABLES]"' }),
          turns.say("Done."),
          turns.call("bash", { command: 'echo "[$GLIBC_TUNABLES]"' }),
          turns.say("Done."),
        ],
      },
    });
    const settings = join(place.home, "settings.json");
    writeFileSync(settings, JSON.stringify({ pass_env: "GLIBC_TUNABLES" }), { mode: 0o600 });
    const env = told.environment;
    const args = ["--permission-mode", "allow-all", "print"];
    try {
      await run(args, env);
      await run(args, { ...env, GLIBC_TUNABLES: "glibc.malloc.arena_max=2" });
      const bodies = told.chatRequests.map(({ body }) => JSON.stringify(body));
      expect(bodies[1]).toContain("[]");
      expect(bodies[3]).toContain("[glibc.malloc.arena_max=2]");
    } finally {
      rmSync(settings);
      await told.close();
    }
  });

  it("refuses an image that is cut in words, shows a large one smaller, and goes on", async () => {
    writeFileSync(join(place.cwd, "half.png"), halfPng({ widthPx: 3000, heightPx: 3000 }));
    writeFileSync(join(place.cwd, "frames.gif"), gifOf({ side: 2100, frames: 20_000 }));
    const told = await startModelServer({
      scenario: {
        turns: [
          turns.call("read", { path: "half.png" }),
          turns.call("read", { path: "frames.gif" }),
          turns.say("One is damaged."),
        ],
      },
    });
    symlinkSync(join(root, "dist/image-converter.mjs"), join(dist, "image-converter.mjs"));
    try {
      expect(await run(["look"], told.environment)).toBe("One is damaged.\n");
      const bodies = told.chatRequests.map(({ body }) => JSON.stringify(body));
      expect(bodies[1]).toContain("its data ends before the picture does");
      expect(bodies[2]).toContain("shown smaller: 2000 × 2000 pixels");
    } finally {
      rmSync(join(dist, "image-converter.mjs"));
      await told.close();
    }
  });

  it.each([
    ["image-converter", "throw new Error('boom');"],
    ["image-converter", "process.exit(0);"],
    ["image-converter", "process.abort();"],
    ["image-converter", "const all = new Map(); for (let i = 0; ; i++) all.set(i, i + 0.5);"],
    ["image-converter", "process.kill(process.pid, 'SIGKILL');"],
    ["markdown-converter", "throw new Error('boom');"],
    ["markdown-converter", "process.exit(0);"],
    ["markdown-converter", "let text = 'abc'; for (;;) text = [text, text].join('');"],
    ["markdown-converter", "process.kill(process.pid, 'SIGKILL');"],
  ])("goes on whatever happens to the process of its %s: %s", async (name, code) => {
    const site = createServer((_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end("<h1>Words of the page</h1>");
    });
    await new Promise<void>((done) => site.listen(0, "127.0.0.1", done));
    const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
    writeFileSync(
      join(place.cwd, "large.bmp"),
      bitmap(3000, 30, () => 200),
    );
    const isImage = name === "image-converter";
    const call = isImage
      ? turns.call("read", { path: "large.bmp" })
      : turns.call("web_fetch", { url: `http://${host}/` });
    const told = await startModelServer({ scenario: { turns: [call, turns.say("Done.")] } });
    writeFileSync(join(dist, `${name}.mjs`), code);
    try {
      expect(await run(["--allow", `web_fetch(${host})`, "go"], told.environment)).toBe("Done.\n");
      const seen = JSON.stringify(told.chatRequests[1]?.body);
      expect(seen).toContain(isImage ? "it could not be scaled down" : "Words of the page");
    } finally {
      rmSync(join(dist, `${name}.mjs`));
      await told.close();
      await new Promise((done) => site.close(done));
    }
  });

  it("holds nothing of the environment it was made in, and nothing of what was practised", () => {
    const text = readFileSync(blob(), "latin1");
    expect(text).not.toContain(secret);
    expect(text).not.toMatch(/harness-practice-\w/);
    expect(readdirSync(dist).sort()).toEqual(["built", "harness.mjs", "run-snapshot.blob", "run-snapshot.of"]);
  });

  it("takes the compiled code of Node's own modules from there, under the options that it was made with", async () => {
    const env = { ...place.env, NODE_DEBUG_NATIVE: "code_cache" };
    const child = promisify(execFile)(launcher, ["run", "hi"], { cwd: place.cwd, env });
    child.child.stdin?.end();
    const { stderr } = await child;
    const outcomes = [...stderr.matchAll(/^Code cache of (\S+) .* is (\w+)$/gm)].map(
      ([, name, what]) => `${name} ${what}`,
    );
    expect(outcomes).toContain("http accepted");
    expect(outcomes.filter((outcome) => outcome.endsWith("rejected"))).toEqual([]);
  });

  it("compiles next to nothing by V8's simplest compiler in its first moments", async () => {
    const log = join(place.root, "functions.log");
    const logging = ["--log-function-events", "--no-logfile-per-isolate", `--logfile=${log}`];
    const args = [
      ...startFlags,
      ...runFlags,
      "--snapshot-blob",
      blob(),
      ...logging,
      join(dist, "harness.mjs"),
      "run",
      "hi",
    ];
    const child = promisify(execFile)(process.execPath, args, { cwd: place.cwd, env: place.env });
    child.child.stdin?.end();
    expect((await child).stdout).toBe("Hello.\n");
    // function,WHAT,SCRIPT,START,END,MS,MICROSECONDS SINCE THE START,NAME
    const events = readFileSync(log, "utf8").matchAll(/^function,([\w-]+),(?:[^,]*,){4}(\d+),/gm);
    const early = [...events].filter(([, , at]) => Number(at) < 1_500_000).map(([, what]) => what);
    expect(early).toContain("first-execution");
    // Before our own code begins, a few of Node's functions are compiled; with it more than a thousand.
    expect(early.filter((what) => what === "baseline").length).toBeLessThan(100);
  });

  it("holds no code that ran only while it was made", () => {
    // On Linux 19.8 MB; with it 2.2 MB more.
    expect(statSync(blob()).size).toBeLessThan(20_800_000);
  });

  it("begins from the bundle where options of Node are set, the Node is another, or the snapshot was changed or is missing", async () => {
    expect(await startsFromIt({ NODE_OPTIONS: "--stack-trace-limit=20" })).toBe(false);
    const own = readFileSync(stamp(), "utf8");
    writeFileSync(stamp(), "1 2\n");
    expect(await startsFromIt()).toBe(false);
    writeFileSync(stamp(), own);
    expect(await startsFromIt()).toBe(true);
    const later = new Date(Date.now() + 5_000);
    appendFileSync(blob(), "x");
    utimesSync(blob(), later, later);
    expect(await startsFromIt()).toBe(false);
    expect(await run(["hi"])).toBe("Hello.\n");
    renameSync(blob(), `${blob()}.away`);
    expect(await startsFromIt()).toBe(false);
    expect(await run(["hi"])).toBe("Hello.\n");
  });
});
