// The grammar of the shell is large: a real server process reads it from disk when a command needs it, and not before.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { turns } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { choose, LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

/** Records every module that the process loads. */
const SPY = `
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";
registerHooks({
  load(url, context, next) {
    appendFileSync(process.env.LOADED_MODULES, url + "\\n");
    return next(url, context);
  },
});`;

it("a grammar is loaded by the first command that needs it, not by a start, a session or a plain command", async () => {
  const command = (text: string) => turns.call("bash", { command: text });
  const plain = [command("ls"), command("git status"), command("touch x"), turns.say("one")];
  live = await LiveServer.start({ turns: [...plain, command("echo $(touch y)"), turns.say("two")] });
  mkdirSync(live.cwd);
  const list = join(live.root, "modules");
  const spy = join(live.root, "spy.mjs");
  writeFileSync(spy, SPY);
  const env = { NODE_OPTIONS: `--import=${pathToFileURL(spy)}`, LOADED_MODULES: list };
  const { client } = await live.connect(choose("allow_once"), env);
  const grammar = () =>
    readFileSync(list, "utf8")
      .split("\n")
      .filter((url) => /web-tree-sitter/.test(url));
  expect(readFileSync(list, "utf8")).toContain("file:");
  expect(grammar()).toEqual([]);
  const { session } = await client.call("session/new", { cwd: live.cwd });
  await client.call("session/prompt", { sessionId: session.sessionId, promptId: "1", prompt: say("plain") });
  const { seq = 0 } = await live.idle();
  expect([existsSync(join(live.cwd, "x")), grammar()]).toEqual([true, []]);
  await client.call("session/prompt", { sessionId: session.sessionId, promptId: "2", prompt: say("hidden") });
  await live.idle(seq);
  expect(existsSync(join(live.cwd, "y"))).toBe(true);
  expect(grammar()).not.toEqual([]);
});
