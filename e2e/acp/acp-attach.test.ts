// A session that another server holds, in an editor.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { isAlive, turns } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { type AcpProbe, choosing } from "../support/acp-probe.ts";
import { acpProbing } from "../support/acp-probing.ts";
import { EditorBuffers } from "../support/editor-buffers.ts";
import { SocketClient } from "../support/listening-server.ts";

type Held = { sessionId: string; pid: number; socketPath: string };

let probe: AcpProbe;
const started = acpProbing((each) => {
  probe = each;
});
let held: Held;

afterEach(() => {
  if (isAlive(held.pid)) process.kill(held.pid, "SIGKILL");
});

/** A session that a server of its own works on. */
async function elsewhere(prompt: string): Promise<Held> {
  const [program = "", entry = ""] = probe.command;
  const args = [entry, "run", "--background", "--json", prompt];
  const { stdout } = await promisify(execFile)(program, args, { cwd: probe.cwd, env: probe.environment });
  return JSON.parse(stdout);
}

const where = () => ({ sessionId: held.sessionId, cwd: probe.cwd, mcpServers: [] });
const notices = () => probe.updates("notice").map(({ title }) => title);

it("is followed there: its question is asked, and what it says comes here; when that server has gone, it goes on here", async () => {
  await started({
    turns: [
      turns.call("bash", { command: "touch one" }),
      turns.say("The first is done."),
      turns.say("Here again.", { repeat: "always" }),
    ],
  });
  held = await elsewhere("make one");
  await probe.initialize({ session: { notices: {} } });
  probe.answers["session/request_permission"] = choosing("allow_once");
  expect(await probe.call("session/load", where())).toHaveProperty("configOptions");
  await probe.until(() => probe.text().includes("The first is done."));
  expect(probe.files()).toEqual(["one"]);
  expect(notices()).toEqual(["This session is open elsewhere, too: both see and answer everything."]);

  process.kill(held.pid, "SIGKILL");
  await probe.until(() => notices().includes("Where this session was open has ended. It goes on here."));
  expect((await probe.prompt(held.sessionId, "And now?")).result).toMatchObject({ stopReason: "end_turn" });
  expect(probe.text()).toContain("Here again.");
});

it("takes a question back that is answered elsewhere", async () => {
  await started({ turns: [turns.call("bash", { command: "touch one" }), turns.say("It is done.")] });
  held = await elsewhere("make one");
  await probe.initialize();
  probe.answers["session/request_permission"] = () => new Promise(() => undefined);
  await probe.call("session/load", where());
  await probe.until(() => probe.requests("session/request_permission").length > 0);
  const ann = await SocketClient.at(held.socketPath, "ann");
  await ann.client.call("session/resume", { sessionId: held.sessionId });
  (await ann.ask()).answer("allow_once");
  await probe.until(() => probe.messages.some(({ method }) => method === "$/cancel_request"));
  await probe.until(() => probe.text().includes("It is done."));
  expect(probe.files()).toEqual(["one"]);
  ann.client.destroy();
});

it("can be loaded again, and goes on there when it is closed here", async () => {
  await started({ turns: [turns.call("bash", { command: "touch one" }), turns.say("It is done.")] });
  held = await elsewhere("make one");
  await probe.initialize();
  probe.answers["session/request_permission"] = () => new Promise(() => undefined);
  await probe.call("session/load", where());
  await probe.until(() => probe.requests("session/request_permission").length > 0);
  await probe.call("session/load", where());
  await probe.until(() => probe.requests("session/request_permission").length > 1);
  await probe.call("session/close", { sessionId: held.sessionId });
  const { sessions } = await probe.call("_harness/session/live");
  expect(sessions).toMatchObject([{ sessionId: held.sessionId, pid: held.pid, state: "requires_action" }]);
  probe.answers["session/request_permission"] = choosing("allow_once");
  await probe.call("session/load", where());
  await probe.until(() => probe.text().includes("It is done."));
});

it("is given the files that are open in the editor", async () => {
  await started({
    turns: [
      turns.call("bash", { command: "touch one" }),
      turns.call("read", { file_path: "a.txt" }),
      turns.say("It is done."),
    ],
  });
  const editor = new EditorBuffers(probe);
  editor.file("a.txt", "old\n", "typed\n");
  held = await elsewhere("make one");
  await probe.initialize({ fs: { readTextFile: true, writeTextFile: true } });
  probe.answers["session/request_permission"] = choosing("allow_once");
  await probe.call("session/load", where());
  await probe.until(() => probe.text().includes("It is done."));
  expect(JSON.stringify(probe.model.requests.at(-1)?.body)).toContain("typed");
});
