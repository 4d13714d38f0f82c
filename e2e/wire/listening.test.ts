// Servers on real sockets: how they start, who may connect, and how they end.
import { once } from "node:events";
import { chmodSync, existsSync, readdirSync, statSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import { turns } from "@harness/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ListeningHome, SocketClient } from "../support/listening-server.ts";
import { say } from "../support/live-server.ts";

let place: ListeningHome;
beforeEach(async () => {
  place = await ListeningHome.with({ turns: [turns.say("Hello.")] });
});
afterEach(() => place.close());

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

it("listens on a socket that only this person can open, and ends when nothing is left to do", async () => {
  const { path, ended } = await place.listen("--idle-timeout", "1s");
  const folder = join(place.runtime, "harness");
  expect([modeOf(folder), modeOf(path)]).toEqual(["700", "600"]);
  const ann = await SocketClient.at(path, "ann");
  const { session } = await ann.client.call("session/new", { cwd: place.cwd });
  await ann.client.call("session/prompt", { sessionId: session.sessionId, promptId: "p", prompt: say("hi") });
  await ann.idle();
  ann.client.destroy();
  expect(await ended).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
});

it("two starts at once give one server, and both name it", async () => {
  const starts = await Promise.all([place.listen(), place.listen()]);
  expect(starts[0].path).toBe(starts[1].path);
  const second = await Promise.race(starts.map(({ ended }, n) => ended.then((code) => ({ n, code }))));
  expect(second.code).toBe(0);
  const ann = await SocketClient.at(starts[0].path, "ann");
  expect((await ann.client.call("server/status", {})).pid).toBe(starts[1 - second.n]?.child.pid);
});

it("takes the place of a server that was killed, and removes its socket", async () => {
  const first = await place.listen();
  first.child.kill("SIGKILL");
  await first.ended;
  expect(existsSync(first.path)).toBe(true);
  const second = await place.listen();
  const ann = await SocketClient.at(second.path, "ann");
  expect(await ann.client.call("session/live", {})).toEqual({ sessions: [] });
  expect(existsSync(first.path)).toBe(false);
});

it("refuses a runtime folder that others may use, with what to do", async () => {
  const { child, ended } = await place.listen();
  child.kill("SIGTERM");
  await ended;
  chmodSync(join(place.runtime, "harness"), 0o770);
  const { code, stderr } = await place.run("serve", "--listen");
  expect(code).toBe(1);
  expect(stderr).toMatch(/can be used by other users.*chmod 700.*XDG_RUNTIME_DIR/);
});

it("refuses a line without end, and goes on with that client and the others", async () => {
  const { path, child } = await place.listen();
  const ann = await SocketClient.at(path, "ann");
  const socket = createConnection(path);
  let said = "";
  socket.setEncoding("utf8").on("data", (text: string) => (said += text));
  const megabyte = "x".repeat(1024 * 1024);
  for (let sent = 0; sent < 40; sent += 1)
    if (!socket.write(megabyte)) await new Promise((done) => socket.once("drain", done));
  socket.write("\n");
  while (!said.includes("\n")) await once(socket, "data");
  expect(JSON.parse(said.split("\n")[0] ?? "")).toMatchObject({ error: { data: { reason: "too_large" } } });
  expect(await ann.client.call("server/status", {})).toMatchObject({ pid: child.pid, connections: 2 });
  socket.destroy();
});
