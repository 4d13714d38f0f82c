// The stage that decides which folders extensions come from, over a real server process.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { turns } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
beforeEach(async () => {
  live = await LiveServer.start({ turns: [turns.say("ok", { repeat: "always" })] });
  mkdirSync(live.cwd, { recursive: true });
});
afterEach(() => live.close());

function put(path: string, text: string): void {
  const whole = join(live.root, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  chmodSync(whole, 0o755);
}

/** A plugin of a provider, with a hook that leaves a file. */
function plugin(folder: string, name: string): void {
  put(`${folder}/${name}/providers/${name}.conf`, "url=http://127.0.0.1:9/v1\n");
  put(`${folder}/${name}/hooks.d/send/05-${name}`, `#!/bin/sh\ncat > "${live.root}/seen-${name}"\n`);
}

const seen = (name: string) => existsSync(join(live.root, `seen-${name}`));
/** The input that a hook of the stage received. */
const given = (name: string) => readFileSync(join(live.root, name), "utf8");

async function turn(settings: object = { provider: "openai" }): Promise<void> {
  put("home/settings.json", JSON.stringify(settings));
  chmodSync(join(live.home, "settings.json"), 0o600);
  const { client } = await live.connect();
  const { sessionId } = (await client.call("session/new", { cwd: live.cwd })).session;
  await client.call("session/prompt", { sessionId, promptId: "p", prompt: say("go") });
  await live.idle();
}

describe("the steps of `sources`", () => {
  it("find folders, and leave out those of other providers; hooks stand between and behind them", async () => {
    plugin("home/plugins", "acme");
    plugin("home/plugins", "openai");
    for (const name of ["20-early", "35-between", "50-late"])
      put(
        `home/hooks.d/sources/${name}`,
        `#!/bin/sh\ntee "${live.root}/${name}"; echo "$HARNESS_PROVIDER" >> "${live.root}/provider"\n`,
      );
    await turn();
    const acme = join(live.home, "plugins/acme");
    expect(given("35-between")).toContain(acme);
    expect(given("50-late")).not.toContain(acme);
    expect(given("50-late")).toContain(join(live.home, "plugins/openai"));
    expect(given("provider").trim().split("\n")).toEqual(["openai", "openai", "openai"]);
    expect([seen("acme"), seen("openai")]).toEqual([false, true]);
  });

  it("let the hooks before the walk add a folder", async () => {
    put("team/hooks.d/send/05-team", `#!/bin/sh\ncat > "${live.root}/seen-team"\n`);
    put("home/hooks.d/sources/20-team", `#!/bin/sh\necho '{"sources":["${live.root}/team"]}'\n`);
    put("home/hooks.d/sources/50-late", `#!/bin/sh\ntee "${live.root}/50-late"\n`);
    await turn();
    expect(given("50-late")).toContain(`"${live.root}/team"`);
    expect(given("50-late")).toContain(`"${live.home}"`);
    expect(seen("team")).toBe(true);
  });

  it("are replaced by hooks of their names: what is found", async () => {
    put("only/hooks.d/send/05-only", `#!/bin/sh\ncat > "${live.root}/seen-only"\n`);
    put("home/hooks.d/sources/30-walk-dirs", `#!/bin/sh\ncat > /dev/null\necho '{"sources":["${live.root}/only"]}'\n`);
    put("home/hooks.d/sources/35-between", `#!/bin/sh\ntee "${live.root}/35-between"\n`);
    await turn();
    expect(JSON.parse(given("35-between"))).toEqual({ sources: [join(live.root, "only")] });
    expect(seen("only")).toBe(true);
  });

  it("are replaced by hooks of their names: what belongs to a provider", async () => {
    plugin("home/plugins", "acme");
    put("home/hooks.d/sources/40-scope-providers", "#!/bin/sh\ncat\n");
    await turn();
    expect(seen("acme")).toBe(true);
  });

  it("leave nothing out where no provider is chosen", async () => {
    plugin("home/plugins", "acme");
    put(
      "home/hooks.d/sources/50-late",
      `#!/bin/sh\ntee "${live.root}/50-late"; echo "[$HARNESS_PROVIDER]" > "${live.root}/provider"\n`,
    );
    await turn({});
    expect(given("50-late")).toContain(join(live.home, "plugins/acme"));
    expect(given("provider")).toBe("[]\n");
  });
});
