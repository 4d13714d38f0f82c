// The user's environment as commands get it, over a real server process.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

const END = turns.say("ok", { repeat: "always" });

async function start(settings: object, env: Record<string, string>, command: string) {
  live = await LiveServer.start({ turns: [turns.call("bash", { command }), turns.call("bash", { command }), END] });
  for (const each of [live.cwd, live.home]) mkdirSync(each, { recursive: true });
  writeFileSync(join(live.home, "settings.json"), JSON.stringify({ permission_mode: "allow-all", ...settings }));
  const { client } = await live.connect(undefined, env);
  const { sessionId } = (await client.call("session/new", { cwd: live.cwd })).session;
  const prompt = async (promptId: string, after: number) => {
    await client.call("session/prompt", { sessionId, promptId, prompt: say("go") });
    return (await live.idle(after)).seq ?? 0;
  };
  await prompt("q", await prompt("p", 0));
  const updates = live.updates.map(({ update }) => update);
  const [first, second] = updates.flatMap((update) =>
    update.sessionUpdate === "tool_call_update" && update.outcome ? [update.outcome.text] : [],
  );
  const warnings = updates.flatMap((update) =>
    update.sessionUpdate === "notice" ? [`${update.title} ${update.description}`] : [],
  );
  return { first, second, warnings };
}

describe("the environment of commands", () => {
  it("has what the person names, by patterns and with the ssh agent, and says once what it leaves out", async () => {
    const env = {
      ...{ SSH_AUTH_SOCK: "/run/agent.sock", AWS_PROFILE: "dev", GITHUB_TOKEN: "tok-12345", https_proxy: "http://p:1" },
      ...{ AWS_SECRET_ACCESS_KEY: "verysecret" },
    };
    const { first, warnings } = await start(
      { pass_env: "SSH_AUTH_SOCK, AWS_*, GITHUB_TOKEN, NO_SUCH_*" },
      env,
      'echo "[$SSH_AUTH_SOCK][$AWS_PROFILE][$GITHUB_TOKEN][$AWS_SECRET_ACCESS_KEY][$https_proxy]"',
    );
    expect(first).toBe("[/run/agent.sock][dev][][][http://p:1]");
    expect(warnings).toEqual([
      "Not everything in pass_env is passed on. AWS_SECRET_ACCESS_KEY, GITHUB_TOKEN: they look like secrets, which commands never get. NO_SUCH_*: no such variable is set.",
    ]);
  });

  it("is explained once where a command failed for what it lacks", async () => {
    const env = { SSH_AUTH_SOCK: "/run/agent.sock" };
    const { first, second, warnings } = await start({}, env, "echo 'Permission denied (publickey).'; exit 255");
    expect(first).toContain("[SSH_AUTH_SOCK is set outside, but is not passed on to commands");
    expect(second).not.toContain("SSH_AUTH_SOCK");
    expect(warnings).toEqual([]);
  });
});
