// An observer attaches and reads, and can do nothing else: a whole server with a controller and an observer.
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type HarnessClient, openLinkedClient } from "@harness/client";
import { requestRow, serverMethods } from "@harness/protocol";
import { turns } from "@harness/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { say } from "../support/live-server.ts";
import { openTestServer, type TestServer } from "../support/several-clients.ts";

let people: TestServer;
let controller: HarnessClient;
let observer: HarnessClient;
let sessionId: string;
let storedId: string;
let idle: () => void;

beforeEach(async () => {
  people = await openTestServer({ turns: [turns.say("hi", { repeat: "always" })] });
  controller = await joined("controller");
  observer = await joined("observer");
  for (const _each of [1, 2]) {
    storedId = sessionId;
    ({ sessionId } = (await controller.call("session/new", { cwd: people.project })).session);
    const ended = new Promise<void>((done) => {
      idle = done;
    });
    await controller.call("session/prompt", { sessionId, promptId: "p", prompt: say("hello") });
    await ended;
  }
  await controller.call("session/close", { sessionId: storedId });
});
afterEach(async () => {
  controller.destroy();
  observer.destroy();
  await people.close();
});

function joined(role: "controller" | "observer"): Promise<HarnessClient> {
  return openLinkedClient(people.server, role, {
    clientInfo: { name: role, version: "1" },
    role,
    onUpdate: ({ update }) => {
      if (update.sessionUpdate === "state_update" && update.state === "idle") idle();
    },
    onLost: () => undefined,
    onBug: (error) => expect.unreachable(String(error)),
  });
}

/** Everything on disk, except for the developer's files and the search index, which is derived. */
function everything(folder = dirname(people.project)): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (path.endsWith("/home/logs") || name.startsWith(".search.db")) continue;
    const stats = lstatSync(path);
    found[path] = stats.isFile() ? readFileSync(path, "latin1") : "";
    if (stats.isDirectory()) Object.assign(found, everything(path));
  }
  return found;
}

/** Parameters of all methods; each uses the ones it knows. */
const asked = () => ({
  sessionId,
  cwd: people.project,
  agentId: "main",
  processId: "p1",
  query: "a",
  name: "a",
  server: "a",
  hook: "a",
  event: "done",
  compactionId: "c",
  ...{ data: "", widthPx: 1, heightPx: 1, form: "png" },
});
const refusal = (method: string, params: object) =>
  observer.call(method as "session/list", params).then(
    () => undefined,
    (error: { kind: string }) => error.kind,
  );
const methods = Object.keys(serverMethods).filter((method) => method !== "initialize");
const rowOf = (method: string) => requestRow(serverMethods, method);

it("calls every method that reads, and nothing on disk or in the session changes", async () => {
  const before = everything();
  const { seq } = await controller.call("session/get", { sessionId });
  for (const method of methods.filter((each) => rowOf(each)?.access === "read")) {
    expect([method, await refusal(method, asked())]).not.toContain("permission_denied");
  }
  expect(everything()).toEqual(before);
  expect((await controller.call("session/get", { sessionId })).seq).toBe(seq);
});

it("is refused every method that changes something, before its params are looked at", async () => {
  for (const method of methods.filter((each) => rowOf(each)?.access === "control")) {
    expect([method, await refusal(method, {})]).toEqual([method, "permission_denied"]);
  }
});

it("is refused every param with which a method that reads would change something", async () => {
  const before = everything();
  const values = { config: { permissionMode: "allow-all" }, rules: { allow: ["*"] }, additionalDirectories: ["/"] };
  const rows = methods.flatMap((method) => (rowOf(method)?.control ?? []).map((param) => [method, param] as const));
  expect(rows.map(([, param]) => param)).toContain("mcp");
  for (const [method, param] of rows) {
    const value = Object.hasOwn(values, param) ? values[param as keyof typeof values] : "x";
    expect([param, await refusal(method, { ...asked(), [param]: value })]).toEqual([param, "permission_denied"]);
  }
  expect(everything()).toEqual(before);
});

it("opens no stored session, which may go on with its work, and reads it all the same", async () => {
  const before = everything();
  expect(await refusal("session/resume", { sessionId: storedId })).toBe("permission_denied");
  expect((await observer.call("session/history", { sessionId: storedId, limit: 10 })).events.length).toBeGreaterThan(1);
  expect((await observer.call("session/get", { sessionId: storedId })).session.preview).toBe("hello");
  expect(everything()).toEqual(before);
});

it("learns nothing of folders where no session works, nor which files there are", async () => {
  const elsewhere = join(dirname(people.project), "elsewhere");
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, "secret.txt"), "s");
  const withFolder = methods.filter((each) => rowOf(each)?.access === "read");
  for (const method of withFolder) {
    const { sessionId: _id, ...rest } = asked();
    expect([method, await refusal(method, { ...rest, sessionId, cwd: elsewhere })]).toEqual([
      method,
      "permission_denied",
    ]);
  }
  for (const cwd of [elsewhere, people.project]) {
    expect(await refusal("files/search", { cwd, query: "s" })).toBe("permission_denied");
    expect(await refusal("prompt/preview", { text: "@secret.txt", at: { cwd } })).toBe("permission_denied");
  }
});
