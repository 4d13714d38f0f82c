// A run that is practised while the start-up snapshot is made. Its model is a fake, and nothing of it may stay behind:
// home, folder, environment, streams, signal handlers and timers are stand-ins that are removed afterwards.
import { execFileSync } from "node:child_process";
import { EventEmitter } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";

const call = (index, name, input) => ({
  index,
  id: `call_${index}`,
  type: "function",
  function: { name, arguments: JSON.stringify(input) },
});
const calls = [
  call(0, "read", { file_path: "notes.txt" }),
  call(1, "bash", { command: "echo 1" }),
  call(2, "glob", { pattern: "*.txt" }),
  call(3, "grep", { pattern: "one" }),
  call(4, "edit", { file_path: "notes.txt", old_string: "one", new_string: "two" }),
  call(5, "write", { file_path: "new.txt", content: "new\n" }),
];
const say = (delta, finish) => ({ choices: [{ index: 0, delta, ...(finish && { finish_reason: finish }) }] });
const usage = { prompt_tokens: 10, completion_tokens: 2 };

/** The chunks of two replies: calls, and then an answer. */
const replies = [
  [say({ role: "assistant", content: "I look." }), say({ tool_calls: calls }), { ...say({}, "tool_calls"), usage }],
  [say({ role: "assistant", content: "Done." }), { ...say({}, "stop"), usage }],
];

const json = (value) => ({ type: "application/json", text: JSON.stringify(value) });

/** https://platform.openai.com/docs/api-reference/chat/streaming */
function stream(reply) {
  const head = { id: "practice", object: "chat.completion.chunk", created: 1, model: "practice" };
  const events = reply.map((chunk) => `data: ${JSON.stringify({ ...head, ...chunk })}\n\n`);
  return { type: "text/event-stream", text: `${events.join("")}data: [DONE]\n\n` };
}

/** Replaces `node:http`, which a snapshot cannot contain. */
function httpOfTheModel() {
  let turn = 0;
  const answer = ({ pathname }) => {
    if (pathname.endsWith("/models")) return json({ object: "list", data: [{ id: "practice", object: "model" }] });
    const reply = replies[turn];
    turn += 1;
    return stream(reply ?? []);
  };
  const request = (url, _options, onResponse) => {
    const outgoing = new EventEmitter();
    const respond = () => {
      outgoing.emit("socket", { connecting: false });
      const { type, text } = answer(url);
      const body = Readable.from([Buffer.from(text)]);
      const response = Object.assign(body, { statusCode: 200, headers: { "content-type": type } });
      onResponse(response);
      response.once("close", () => outgoing.emit("close"));
    };
    return Object.assign(outgoing, { end: () => setImmediate(respond), destroy: () => outgoing });
  };
  class Agent {
    destroy() {
      return undefined;
    }
  }
  return { request, Agent };
}

/** Values of this process that are replaced temporarily. */
class StandIns {
  #undo = [];

  put(object, name, value) {
    const before = Object.getOwnPropertyDescriptor(object, name);
    Object.defineProperty(object, name, { value, configurable: true, writable: true, enumerable: true });
    this.#undo.push(() =>
      before ? Object.defineProperty(object, name, before) : Reflect.deleteProperty(object, name),
    );
  }

  remove() {
    for (const undo of this.#undo.reverse()) undo();
  }
}

function replaceEnvironment(values) {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, values);
}

/** Runs `run` on a task in a new folder. If it does not end well, rejects with its output. */
export async function practise(run) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "harness-practice-")));
  const cwd = join(home, "project");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "notes.txt"), "one\n");
  const env = { ...process.env };
  const standIns = new StandIns();
  const timers = [];
  let printed = "";
  try {
    replaceEnvironment({
      PATH: env.PATH,
      HOME: home,
      HARNESS_HOME: join(home, "harness"),
      HARNESS_MODEL: "openai:practice",
      OPENAI_API_KEY: "practice",
      OPENAI_BASE_URL: "http://127.0.0.1:1/v1",
    });
    process.chdir(cwd);
    execFileSync("git", ["init", "-q"], { stdio: "ignore" });
    // Small buffers are slices of a larger one, so one that stays would keep everything that was ever in it.
    standIns.put(Buffer, "poolSize", 0);
    const { getBuiltinModule, on } = process;
    const http = httpOfTheModel();
    standIns.put(process, "getBuiltinModule", (name) =>
      /^node:https?$/.test(name) ? http : getBuiltinModule.call(process, name),
    );
    for (const name of ["stdout", "stderr"]) {
      const write = (chunk, _encoding, done) => {
        printed += chunk;
        done();
      };
      standIns.put(process, name, new Writable({ write }));
    }
    standIns.put(process, "on", (name, listener) =>
      /^SIG|^uncaught/.test(name) ? process : on.call(process, name, listener),
    );
    for (const name of ["setTimeout", "setInterval"]) {
      const start = globalThis[name];
      standIns.put(globalThis, name, (...args) => {
        const timer = start(...args);
        timers.push(timer);
        return timer;
      });
    }
    const code = await run(["run", "--permission-mode", "allow-all", "practise"]);
    if (code !== 0 || printed !== "Done.\n") throw new Error(`the practised run ended with ${code}: ${printed}`);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    standIns.remove();
    replaceEnvironment(env);
    // Node caches the working folder until the next change.
    process.chdir("/");
    rmSync(home, { recursive: true, force: true });
  }
}
