// Variables that a folder's own environment adds for commands and hooks, over a real server process.
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

const END = turns.say("ok", { repeat: "always" });

/** One command per turn; `printer`: the program that prints the environment, and records each of its runs. */
async function start(commands: readonly string[], printer: string, env: Record<string, string> = {}) {
  const calls = commands.flatMap((command) => [turns.call("bash", { command }), turns.say("ok")]);
  live = await LiveServer.start({ turns: [...calls, END] });
  for (const each of [live.cwd, live.home]) mkdirSync(each, { recursive: true });
  const program = join(live.home, "print-environment");
  writeFileSync(program, `#!/bin/sh\necho "$PWD" >> "${live.home}/runs"\n${printer}\n`);
  chmodSync(program, 0o755);
  writeFileSync(
    join(live.home, "settings.json"),
    JSON.stringify({ permission_mode: "allow-all", environment_command: `'${program}'` }),
  );
  const { client } = await live.connect(undefined, env);
  const { sessionId } = (await client.call("session/new", { cwd: live.cwd })).session;
  let seq = 0;
  return {
    client,
    program,
    async turn(): Promise<string> {
      const before = live.updates.length;
      await client.call("session/prompt", { sessionId, promptId: `p${before}`, prompt: say("go") });
      seq = (await live.idle(seq)).seq ?? 0;
      const outcomes = live.updates
        .slice(before)
        .flatMap(({ update }) =>
          update.sessionUpdate === "tool_call_update" && update.outcome ? [update.outcome.text] : [],
        );
      return outcomes.join("\n");
    },
    warnings: () =>
      live.updates.flatMap(({ update }) =>
        update.sessionUpdate === "notice" ? [`${update.title} ${update.description}`] : [],
      ),
    runs: () => readFileSync(join(live.home, "runs"), "utf8").trim().split("\n"),
  };
}

const PRINT = `cat <<'END'\n{"GREETING":"a b\\nc","https_proxy":null,"MY_TOKEN":"abcdef-secret-0123456789","PATH":"/opt/own/bin:/usr/bin:/bin","TERM":"vt100"}\nEND`;
const SHOW = 'echo "[$GREETING][$https_proxy][$MY_TOKEN][$PATH][$TERM]"';

describe("environment_command", () => {
  it("adds to the environment of commands what it prints, but no secret, and says so once", async () => {
    const at = await start([SHOW, SHOW], PRINT, { https_proxy: "http://p:1" });
    expect(await at.turn()).toBe("[a b\nc][][][/opt/own/bin:/usr/bin:/bin][dumb]");
    expect(await at.turn()).toBe("[a b\nc][][][/opt/own/bin:/usr/bin:/bin][dumb]");
    expect(at.runs()).toEqual([live.cwd]);
    expect(at.warnings()).toEqual([
      "Not everything that environment_command prints is passed on. MY_TOKEN: it looks like a secret, which commands never get.",
    ]);
  });

  it("hides the secrets that it printed where a command shows them", async () => {
    const at = await start(["true", "echo abcdef-secret-0123456789"], PRINT);
    await at.turn();
    expect(await at.turn()).not.toContain("abcdef-secret-0123456789");
  });

  it("runs with the first command and not before", async () => {
    const at = await start(["true"], PRINT);
    expect(() => at.runs()).toThrow("ENOENT");
    await at.turn();
    expect(at.runs()).toHaveLength(1);
  });

  it("runs again when a file that it depends on was made, changed or removed", async () => {
    const at = await start(["true", "true", "true", "true", "true"], `echo "GREETING=$(cat .envrc 2>/dev/null)"`);
    const count = async () => {
      await at.turn();
      return at.runs().length;
    };
    expect(await count()).toBe(1);
    writeFileSync(join(live.cwd, ".envrc"), "one");
    expect(await count()).toBe(2);
    expect(await count()).toBe(2);
    writeFileSync(join(live.cwd, ".envrc"), "two2");
    expect(await count()).toBe(3);
    rmSync(join(live.cwd, ".envrc"));
    expect(await count()).toBe(4);
  });

  it("says once in the program's own words why it failed, and tries again with the next message", async () => {
    const at = await start(
      ['echo "<$GREETING>"', 'echo "<$GREETING>"', 'echo "<$GREETING>"'],
      `[ -e "$HOME/allowed" ] || { printf '\\033[31mdirenv: error .envrc is blocked. Run \`direnv allow\`.\\033[0m\\n' >&2; exit 1; }\necho GREETING=hello`,
    );
    expect(await at.turn()).toBe("<>");
    expect(await at.turn()).toBe("<>");
    expect(at.warnings()).toEqual([
      `The environment of this folder is not known. \`'${at.program}'\` in ${live.cwd}: it ended with exit code 1: direnv: error .envrc is blocked. Run \`direnv allow\`. Commands run without it.`,
    ]);
    writeFileSync(join(live.home, "allowed"), "");
    expect(await at.turn()).toBe("<hello>");
  });

  it.each([
    ["prints something else", "echo Loading", "line 1 is not a variable"],
    ["is not there", "exec /no/such/program", "exit code 127"],
    ["prints without end", "yes A=1", "it printed more than 1 MB"],
  ])("lets commands run where it %s", async (_, printer, words) => {
    const at = await start(["echo ran"], printer);
    expect(await at.turn()).toBe("ran");
    expect(at.warnings().join()).toContain(words);
  });

  it("holds for the person's own commands, whole, and for hooks", async () => {
    const at = await start([], PRINT);
    mkdirSync(join(live.home, "hooks.d/start"), { recursive: true });
    const hook = join(live.home, "hooks.d/start/10-note");
    writeFileSync(hook, `#!/bin/sh\nenv > "${live.home}/seen"\necho "{}"\n`);
    chmodSync(hook, 0o755);
    await at.turn();
    const seen = readFileSync(join(live.home, "seen"), "utf8");
    expect(seen).toContain("GREETING=a b\nc");
    expect(seen).not.toContain("MY_TOKEN");
  });
});
