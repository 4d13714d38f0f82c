import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "@harness/core";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runQdrantService, type ServiceAction } from "./qdrant-service.ts";

// A docker that keeps its state in files. No server listens behind it.

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "harness docker "));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const FAKE = `#!/bin/sh
cd "$(dirname "$0")" || exit 1
echo "$*" >> calls
env | grep QDRANT >> variables
[ -e broken ] && { echo "Cannot connect to the Docker daemon" >&2; exit 1; }
case "$1" in
  ps) [ -e state ] && cat state; exit 0 ;;
  image) [ -e image ] ;;
  pull) [ -e offline ] && { echo "no route to host" >&2; exit 1; }; touch image ;;
  run) [ -e taken ] && { echo "port is already allocated" >&2; exit 125; }; echo running > state ;;
  start) echo running > state ;;
  stop) echo exited > state ;;
esac
`;

function install(name = "docker", ...files: string[]): void {
  writeFileSync(join(folder, name), FAKE);
  chmodSync(join(folder, name), 0o755);
  for (const file of files) writeFileSync(join(folder, file), "");
}

async function ask(action: ServiceAction, more: { localOnly?: boolean; key?: string } = {}) {
  const notes: string[] = [];
  const clock: Clock = { now: () => 0, monotonicMs: () => 0, sleep: async () => undefined };
  const outcome = await runQdrantService(action, {
    env: { PATH: `${folder}:/usr/bin:/bin`, ...(more.key !== undefined && { QDRANT_API_KEY: more.key }) },
    clock,
    signal: new AbortController().signal,
    localOnly: more.localOnly ?? false,
    note: (text) => notes.push(text),
  });
  return { ...outcome, notes };
}

const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : "");

it.each(["start", "stop", "status"] as const)(
  "says at %s what to install if there is no container engine",
  async (action) => {
    const { text, ok } = await ask(action);
    expect(text).toMatch(/neither docker nor podman is installed here.*apt install podman.*`embedded`, needs nothing/s);
    expect(ok).toBe(action === "status");
  },
);

it.each(["docker", "podman"])("starts, shows and stops one with %s", async (engine) => {
  install(engine);
  expect(await ask("status")).toMatchObject({ ok: true, text: expect.stringContaining("not there") });
  const started = await ask("start", { key: "secret-key" });
  expect(started.notes).toEqual(["Downloading docker.io/qdrant/qdrant:v1.19.0: about 200 MB."]);
  expect(started.text).toBe(
    `Qdrant was started, but does not answer at http://127.0.0.1:6333. Look at its log: ${engine} logs harness-qdrant`,
  );
  const run = read("calls").match(/^run .*$/m)?.[0];
  expect(run).toContain("--publish 127.0.0.1:6333:6333 --volume harness-qdrant:/qdrant/storage");
  expect(run).toContain("QDRANT__SERVICE__ENABLE_CORS=false");
  expect(run).not.toContain("secret-key");
  expect(read("variables")).toBe("QDRANT__SERVICE__API_KEY=secret-key\n");
  expect((await ask("status")).text).toContain("running, but it does not answer yet");
  expect((await ask("stop")).text).toMatch(/^Qdrant is stopped\. Its indexes are kept in the volume harness-qdrant\./);
  expect((await ask("stop")).text).toBe("Qdrant is not running.");
  expect((await ask("status")).text).toBe("Qdrant: exited. Start it with: harness services start");
  await ask("start");
  expect(read("calls").match(/^(run|start|pull) /gm)).toEqual(["pull ", "run ", "start "]);
});

it("downloads nothing in local-only mode", async () => {
  install();
  const { ok, text } = await ask("start", { localOnly: true });
  expect({ ok, text }).toEqual({ ok: false, text: expect.stringContaining("local-only mode forbids to download it") });
  expect(read("calls")).not.toContain("pull ");
});

it.each([
  ["broken", "docker is installed but does not work: Cannot connect to the Docker daemon. Start Docker"],
  ["offline", "could not be downloaded: no route to host."],
  ["taken", "could not be started: port is already allocated."],
])("explains a docker that is %s", async (file, message) => {
  install("docker", file);
  const { ok, text } = await ask("start");
  expect(ok).toBe(false);
  expect(text).toContain(message);
});
