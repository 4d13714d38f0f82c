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

/** By scenario: how many of its checks have passed and failed. */
export type SuiteResult = { scenarios: Map<string, { passed: number; failed: number }>; output: string };

/** Runs every scenario that a revision of the specification requires against our client, in this process. */
export async function runSuite(revision: string): Promise<SuiteResult> {
  const output = await mkdtemp(join(tmpdir(), "conformance-"));
  const server = createServer(async (request, response) => {
    const trial = JSON.parse(await text(request)) as Trial;
    const problems = await tryServer(trial).catch((error: Error) => [error.message]);
    response.end(problems.map((problem) => `${problem}\n`).join(""));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const command = `${process.execPath} ${join(import.meta.dirname, "forward.mjs")} ${port}`;
  const args = [runner, "client", "--command", command, "--requirements", revision, "-o", output, "--timeout", "60000"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  try {
    const [stdout] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { scenarios: readSummary(stdout), output: stdout };
  } finally {
    child.kill("SIGKILL");
    server.close();
    await rm(output, { recursive: true, force: true });
  }
}

/** The scenarios that count for a revision, as the runner's own list has them. */
export async function requiredScenarios(revision: string): Promise<string[]> {
  const list = await readFile(join(folder, "requirements", `${revision}.yaml`), "utf8");
  const section = list.split(/^client:\n/m)[1]?.split(/^\S/m)[0] ?? "";
  return [...section.matchAll(/^ {2}- (\S+)$/gm)].map(([, name = ""]) => name);
}

function readSummary(stdout: string): SuiteResult["scenarios"] {
  const lines = stdout.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm);
  return new Map(
    [...lines].map(([, name = "", passed, failed]) => [name, { passed: Number(passed), failed: Number(failed) }]),
  );
}
