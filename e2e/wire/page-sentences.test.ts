// Sentences of the pages about two features together, and with "never", "only", "nothing" or "every", tested from
// outside: a real server, a scripted model, a user who refuses every question.
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { ClientOptions, HarnessClient } from "@harness/client";
import type { PermissionMode, UpdateOf } from "@harness/protocol";
import { turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";
import { extensionRows } from "../support/page-rows/extension-rows.ts";
import { gateRows } from "../support/page-rows/gate-rows.ts";
import type { Ending, PageRow } from "../support/page-rows/page-row.ts";

/** Every row is true of the product, and its sentence is on the page. */
const pageRows = [...gateRows, ...extensionRows];
const docs = resolve(import.meta.dirname, "../../docs");
type Asked = Parameters<NonNullable<ClientOptions["onPermission"]>>[0];

const words = (text: string) => text.replace(/\s+/g, " ");

describe("what a page says of rules, secrets, hooks and tools", () => {
  let live: LiveServer;
  let client: HarnessClient;
  let asked: string[] = [];

  beforeAll(async () => {
    const script = pageRows.flatMap(({ calls }) => [
      ...calls.map(([tool, args]) => turns.call(tool, args)),
      turns.say("done"),
    ]);
    live = await LiveServer.start({ turns: script });
    mkdirSync(live.home, { mode: 0o700 });
    const refuse = async ({ permission }: Asked) => {
      asked.push(permission.toolCallId);
      const refusal = permission.options.find(({ kind }) => kind === "reject_once");
      return { outcome: "selected" as const, optionId: refusal?.optionId ?? "" };
    };
    const screen = { PATH: `${join(live.home, "bin")}:${process.env.PATH}`, WAYLAND_DISPLAY: "wayland-0" };
    ({ client } = await live.connect(refuse, { ...screen, MY_TOKEN: "m", OPENAI_API_KEY: "o" }));
  });
  afterAll(() => live?.close());

  /** Creates the folder of the row, and the user's files for it; the returned function removes them. */
  function prepare({ files = {}, home = {} }: PageRow, cwd: string): () => void {
    const put = (path: string, text: string) => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text, { mode: text.startsWith("#!") ? 0o755 : 0o600 });
    };
    mkdirSync(cwd, { recursive: true });
    for (const [path, text] of Object.entries(files)) put(join(cwd, path), text);
    const kept = new Set(readdirSync(live.home));
    for (const [path, text] of Object.entries(home)) put(join(live.home, path.replace(/^others:/, "")), text);
    for (const path of Object.keys(home))
      if (path.startsWith("others:")) chmodSync(join(live.home, path.slice("others:".length)), 0o666);
    return () => {
      for (const name of readdirSync(live.home))
        if (!kept.has(name)) rmSync(join(live.home, name), { recursive: true, force: true });
    };
  }

  async function endingsOf(row: PageRow, at: number): Promise<Ending[]> {
    const cwd = join(live.cwd, `row-${at}`);
    const clean = prepare(row, cwd);
    asked = [];
    const config: { permissionMode: PermissionMode } = { permissionMode: row.mode ?? "default" };
    const rules = { allow: [...(row.allow ?? [])], deny: [...(row.deny ?? [])] };
    const { session } = await client.call("session/new", { cwd, config, rules });
    const { sessionId } = session;
    const over = live.until(
      ({ sessionId: id, update }) =>
        id === sessionId && update.sessionUpdate === "state_update" && update.state === "idle",
    );
    await client.call("session/prompt", { sessionId, promptId: "p", prompt: say("go") });
    await over;
    const ends = live.updates.flatMap(({ sessionId: id, update }) =>
      id === sessionId && update.sessionUpdate === "tool_call_update" && update.outcome
        ? [update as UpdateOf<"tool_call_update">]
        : [],
    );
    await client.call("session/close", { sessionId });
    clean();
    return ends.map(({ toolCallId, outcome }) =>
      asked.includes(toolCallId) ? "asked" : outcome?.status === "denied" ? "denied" : "ran",
    );
  }

  const rows = pageRows.map((row, at) => [row.page, row.says, row.but ?? "", row, at] as const);

  it.each(rows)("%s: %s %s", async (_page, _says, _but, row, at) => {
    expect(await endingsOf(row, at)).toEqual(row.ends);
  });

  it.each(rows)("%s has the sentence: %s %s", (page, says) => {
    expect(words(readFileSync(join(docs, page), "utf8")).includes(words(says))).toBe(true);
  });
});
