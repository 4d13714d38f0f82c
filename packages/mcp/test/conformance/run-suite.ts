import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { type Trial, tryServer } from "./agreeing-client.ts";

const require = createRequire(import.meta.url);
const folder = dirname(require.resolve("@modelcontextprotocol/conformance/package.json"));
const runner = join(folder, "dist/index.js");
const forwarder = join(import.meta.dirname, "forward.mjs");

/** The required scenarios that have failed, with what the runner reported about them. */
export type SuiteResult = { required: string[]; failed: { scenario: string; output: string }[] };

/**
 * Runs the scenarios that a revision of the specification requires of a client against ours, in this process. They run
 * concurrently; those that fail are tried once more alone, because some of them measure time.
 */
export async function runSuite(revision: string): Promise<SuiteResult> {
  const required = await requiredScenarios(revision);
  const server = createServer(async (request, response) => {
    const trial = JSON.parse(await text(request)) as Trial;
    const problems = await tryServer(trial).catch((error: Error) => [error.message]);
    response.end(problems.map((problem) => `${problem}\n`).join(""));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const all = await run(port, ["--requirements", revision]);
    const passed = [...all.matchAll(/^✓ (\S+): [1-9]\d* passed, 0 failed/gm)].map(([, name]) => name);
    const failed: SuiteResult["failed"] = [];
    for (const scenario of required.filter((name) => !passed.includes(name))) {
      const output = await run(port, ["--scenario", scenario, "--spec-version", revision]);
      if (!output.includes("OVERALL: PASSED")) failed.push({ scenario, output });
    }
    return { required, failed };
  } finally {
    server.close();
  }
}

async function run(port: number, which: string[]): Promise<string> {
  const results = await mkdtemp(join(tmpdir(), "conformance-"));
  const command = `${process.execPath} ${forwarder} ${port}`;
  const args = [runner, "client", "--command", command, ...which, "-o", results, "--timeout", "60000"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  try {
    const [stdout] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return stdout;
  } finally {
    child.kill("SIGKILL");
    await rm(results, { recursive: true, force: true });
  }
}

/** The scenarios that count for a revision, according to the runner's own list. */
async function requiredScenarios(revision: string): Promise<string[]> {
  const list = await readFile(join(folder, "requirements", `${revision}.yaml`), "utf8");
  const section = list.split(/^client:\n/m)[1]?.split(/^\S/m)[0] ?? "";
  return [...section.matchAll(/^ {2}- (\S+)$/gm)].map(([, name = ""]) => name);
}
