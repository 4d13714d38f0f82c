// Many clients on one session, over a real socket: what each is sent, also when others, or the server, are killed.
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createConnection, type Socket } from "node:net";
import { join } from "node:path";
import type { SessionUpdate } from "@harness/protocol";
import { type ScenarioInput, turns } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { ListeningHome, type ServerRun, SocketClient } from "../support/listening-server.ts";
import { say } from "../support/live-server.ts";

let place: ListeningHome;
let server: ServerRun;
afterEach(() => place.close());

const touch = turns.call("bash", { command: "touch made" });
const made = () => existsSync(join(place.cwd, "made"));

/** A client that has begun a session with a message. */
async function begun(scenario: ScenarioInput): Promise<{ ann: SocketClient; sessionId: string }> {
  place = await ListeningHome.with(scenario);
  server = await place.listen();
  const ann = await SocketClient.at(server.path, "ann");
  const { sessionId } = (await ann.client.call("session/new", { cwd: place.cwd })).session;
  await ann.client.call("session/prompt", { sessionId, promptId: "p", prompt: say("go") });
  return { ann, sessionId };
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

it("an open request is sent to a client that comes later, and withdrawn everywhere at the first answer", async () => {
  const { ann, sessionId } = await begun({ turns: [touch, turns.say("done")] });
  const anns = await ann.ask();
  const bob = await SocketClient.at(server.path, "bob");
  const eve = await SocketClient.at(server.path, "eve", "observer");
  await bob.client.call("session/resume", { sessionId });
  await eve.client.call("session/resume", { sessionId, replay: { type: "start" } });
  const bobs = await bob.ask();
  expect(bobs.permission).toEqual(anns.permission);
  bobs.answer("allow_once");
  await ann.withdrawn(anns);
  await Promise.all([ann, bob, eve].map((each) => each.idle()));
  expect(made()).toBe(true);
  expect(eve.asks).toEqual([]);
  const { permissionId } = anns.permission;
  const outcome = { outcome: "selected", optionId: "reject_once" } as const;
  const late = (by: SocketClient) => by.client.call("permission/reply", { sessionId, permissionId, outcome });
  await expect(late(ann)).rejects.toMatchObject({ kind: "conflict" });
  await expect(late(eve)).rejects.toMatchObject({ kind: "permission_denied" });
  const resolved = ann.updates.filter(({ update }) => update.sessionUpdate === "permission_resolved");
  expect(resolved).toMatchObject([{ update: { by: "bob" } }]);
  expect(eve.seqs).toEqual(upTo(eve.seqs.length));
});

it("a client that is cut off while a question waits comes back after its last fact, and is asked again", async () => {
  const { ann, sessionId } = await begun({ turns: [touch, turns.say("done")] });
  await ann.ask();
  const before = ann.seqs;
  ann.client.destroy();
  const again = await SocketClient.at(server.path, "ann");
  await again.client.call("session/resume", { sessionId, replay: { type: "after", seq: before.at(-1) ?? 0 } });
  (await again.ask()).answer("allow_once");
  await again.idle();
  const all = [...before, ...again.seqs];
  expect(all).toEqual(upTo(all.length));
  expect(made()).toBe(true);
});

it("a server that is killed loses nothing that a client has seen, and the next one goes on", async () => {
  const { ann, sessionId } = await begun({ turns: [touch, turns.say("done")] });
  await ann.ask();
  server.child.kill("SIGKILL");
  await Promise.all([server.ended, ann.lost]);
  server = await place.listen();
  const again = await SocketClient.at(server.path, "ann");
  await again.client.call("session/resume", { sessionId, replay: { type: "after", seq: ann.seqs.at(-1) ?? 0 } });
  await again.idle();
  const all = [...ann.seqs, ...again.seqs];
  expect(all).toEqual(upTo(all.length));
  const { events } = await again.client.call("session/history", { sessionId, after: 0, limit: 1000 });
  expect(events.slice(0, ann.seqs.length)).toEqual(ann.updates.filter(({ seq }) => seq !== undefined));
  expect(made()).toBe(false);
});

const words = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => `${from + n}`.padStart(7, "0").concat(" ")).join("");
const TEXT = words(0, 100_000);
const MAX_MB = 350;

/** A client that follows the session and reads nothing. */
async function stalled(sessionId: string): Promise<Socket> {
  const socket = createConnection(server.path);
  const send = (id: number, method: string, params: object) =>
    socket.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  send(1, "initialize", { protocolVersions: ["1"], clientInfo: { name: "stalled", version: "1" } });
  await once(socket, "readable");
  send(2, "session/resume", { sessionId, replay: { type: "start" } });
  return socket;
}

const textOf = ({ updates }: SocketClient) =>
  updates
    .map(({ update }: SessionUpdate) => (update.sessionUpdate === "agent_message_chunk" ? update.text : ""))
    .join("");

it("fifty clients get all of a long answer, beside one that never reads", async () => {
  const { ann, sessionId } = await begun({ turns: [touch, turns.say(TEXT, { chunk: { size: 4_000 } })] });
  const ask = await ann.ask();
  const crowd = await Promise.all(upTo(50).map((n) => SocketClient.at(server.path, `client ${n}`)));
  await Promise.all(crowd.map(({ client }) => client.call("session/resume", { sessionId, replay: { type: "start" } })));
  const socket = await stalled(sessionId);
  ask.answer("allow_once");
  await Promise.all([ann, ...crowd].map((each) => each.idle()));
  for (const each of crowd) {
    expect(each.seqs).toEqual(upTo(each.seqs.length));
    expect(textOf(each)).toBe(TEXT);
  }
  const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, "utf8"))?.[1]) / 1024;
  expect(peak).toBeLessThan(MAX_MB);
  socket.destroy();
});

it("a client that reads nothing while more than its queue holds is said gets every fact once it reads, and learns what it missed", async () => {
  const chunk = { size: 64_000 };
  const look = turns.call("bash", { command: "pwd" }, { text: words(0, 900_000), chunk });
  const { ann, sessionId } = await begun({ turns: [touch, look, turns.say(words(1_000_000, 900_000), { chunk })] });
  const ask = await ann.ask();
  const socket = await stalled(sessionId);
  ask.answer("allow_once");
  const idle = await ann.idle();
  const [lines, seqs] = [new LineParts(), [] as number[]];
  let dropped = 0;
  socket.setEncoding("utf8");
  for await (const text of socket) {
    for (const { method, params } of lines.take(String(text))) {
      if (method === "session/update" && params.seq !== undefined) seqs.push(params.seq);
      if (method === "server/lagged") dropped += params.droppedChunks;
    }
    if (seqs.at(-1) === idle.seq && dropped > 0) break;
  }
  expect(seqs).toEqual(upTo(idle.seq ?? 0));
  expect(idle.update).toMatchObject({ stopReason: "end_turn" });
});

type Line = {
  method?: string;
  params: { seq?: number; text: string; index: number; count: number; droppedChunks: number };
};

/** Reads messages that come as lines, and long ones that come in parts. */
class LineParts {
  #rest = "";
  #parts: string[] = [];

  take(text: string): Line[] {
    const lines = `${this.#rest}${text}`.split("\n");
    this.#rest = lines.pop() ?? "";
    return lines.flatMap((line) => {
      const message = JSON.parse(line) as Line;
      if (message.method !== "$/part") return [message];
      const { index, count } = message.params;
      this.#parts = index === 0 ? [message.params.text] : [...this.#parts, message.params.text];
      return index === count - 1 ? [JSON.parse(this.#parts.join("")) as Line] : [];
    });
  }
}
