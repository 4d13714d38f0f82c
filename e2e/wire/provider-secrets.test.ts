// A trusted project's provider program gets the secrets that the user granted it, over the wire of a real server
// process.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { openClient, spawnServer } from "@harness/client";
import type { ProviderSecrets, TrustView } from "@harness/protocol";
import { startSubagentCall, turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { LiveServer, say, serverEntry } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

const secrets = { OPENAI_API_KEY: "openai-secret", GITHUB_TOKEN: "github-secret", CORP_TOKEN: "corp-secret" };
type Client = Awaited<ReturnType<typeof start>>;
type Script = Exclude<Parameters<typeof LiveServer.start>[0]["turns"], undefined>;

async function start(script: Script = [turns.say("Hello.", { repeat: "always" })]) {
  live = await LiveServer.start({ turns: script });
  mkdirSync(join(live.cwd, ".git"), { recursive: true });
  for (const folder of [starts(), live.home]) mkdirSync(folder);
  return connect();
}

async function connect(env: Record<string, string> = {}) {
  const answer = { outcome: "selected" as const, optionId: "" };
  return (await live.connect(async () => answer, { ...secrets, CORP_URL: live.model.baseUrl, ...env })).client;
}

/** Where programs record their environment at each start. */
const starts = () => join(live.root, "starts");

function put(path: string, text: string, mode = 0o644): void {
  const whole = join(live.cwd, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  chmodSync(whole, mode);
}

/** Forwards requests to the scripted model. The secrets it asks for are in a separate file. */
function program(name: string, asks: readonly string[], more = ""): string {
  asksFor(name, ...asks);
  return `#!${process.execPath}
const { writeFileSync, readFileSync } = require("node:fs");
const question = process.argv[2] ?? "";
writeFileSync(${JSON.stringify(join(starts(), name))} + question + "." + process.pid, JSON.stringify(process.env));
const answers = { "--describe": "${name}", "--defaults": "protocol=openai\\nmodel=m", "--env": () => readFileSync(${JSON.stringify(asksFile(name))}, "utf8") };
const answer = answers[question];
if (answer) console.log(typeof answer === "string" ? answer : answer());
else if (question !== "--ready") forward();
async function forward() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const response = await fetch(process.env.CORP_URL + "/chat/completions", { method: "POST", body: Buffer.concat(chunks) });
  for await (const bytes of response.body) process.stdout.write(bytes);
}
${more}`;
}
const asksFile = (name: string) => join(live.root, `${name}.asks`);
const asksFor = (name: string, ...names: string[]) => writeFileSync(asksFile(name), ["CORP_URL", ...names].join("\n"));
const corp = (more = "", asks: readonly string[] = Object.keys(secrets)) =>
  put(".harness/providers/corp", program("corp", asks, more), 0o755);

/** The secrets that reached starts of a program, by the purpose of the start. */
function leaked(name: string): Record<string, string[]> {
  const files = readdirSync(starts()).filter((file) => file.startsWith(name));
  const found: Record<string, string[]> = {};
  for (const file of files) {
    const question = file.slice(name.length, file.lastIndexOf("."));
    const words = readFileSync(join(starts(), file), "utf8").match(/\w+-secret/g) ?? [];
    found[question] = [...new Set([...(found[question] ?? []), ...words])].sort();
  }
  return found;
}

const cwd = () => live.cwd;
const view = (client: Client) => client.call("trust/get", { cwd: cwd() });
const decide = async (client: Client, decision: "trust" | "session" | "refuse" | "forget") =>
  client.call("trust/set", { cwd: cwd(), hash: (await view(client)).hash, decision });
const of = ({ secrets = [] }: TrustView, provider = "corp"): ProviderSecrets => {
  const found = secrets.find((each) => each.provider === provider);
  if (!found) throw new Error(`${provider} asks for nothing`);
  return found;
};
const grant = async (client: Client, ...names: string[]) =>
  client.call("trust/grant", { cwd: cwd(), provider: "corp", hash: of(await view(client)).hash, names });
const states = (trust: TrustView, provider = "corp") =>
  Object.fromEntries(of(trust, provider).variables.map(({ name, state }) => [name, state]));

async function talk(client: Client, provider = "corp"): Promise<void> {
  const { session } = await client.call("session/new", { cwd: cwd(), config: { provider, model: "m" } });
  const { sessionId } = session;
  await client.call("session/prompt", { sessionId, promptId: "p", prompt: say("go") });
  await live.idle();
  await client.call("session/close", { sessionId });
  live.updates.length = 0;
}

const all = (state: string) => ({ OPENAI_API_KEY: state, GITHUB_TOKEN: state, CORP_TOKEN: state });

describe("a trusted project's provider program over the wire", () => {
  it("gets none of the secrets that it names, whatever it is started for, also by subagents", async () => {
    const client = await start([turns.calls([startSubagentCall("a task")]), turns.say("Done.", { repeat: "always" })]);
    corp();
    expect(await view(client)).not.toHaveProperty("secrets");
    expect(readdirSync(starts())).toEqual([]);
    expect(states(await decide(client, "trust"))).toEqual(all("undecided"));
    await client.call("models/doctor", { cwd: cwd(), provider: "corp", model: "m" }).catch(() => undefined);
    await client.call("plugin/test", { cwd: cwd(), path: ".harness/providers/corp" });
    await talk(client);
    expect(live.model.chatRequests.length).toBeGreaterThan(2);
    const none: string[] = [];
    expect(leaked("corp")).toEqual({
      "--describe": none,
      "--defaults": none,
      "--env": none,
      "--ready": none,
      "--stream": none,
    });
  });

  it("gets none where the server lists providers and models of its own folder", async () => {
    const client = await start();
    corp();
    await decide(client, "trust");
    const env = {
      ...secrets,
      PATH: process.env.PATH ?? "",
      HOME: live.home,
      HARNESS_HOME: live.home,
      HARNESS_PROVIDER: "corp",
    };
    const onStderr = () => undefined;
    const own = spawnServer({ command: process.execPath, args: [serverEntry], cwd: cwd(), env, onStderr });
    const ignored = { onUpdate: onStderr, onLost: onStderr, onBug: onStderr };
    const listing = await openClient(own.channel, { clientInfo: { name: "test", version: "1" }, ...ignored });
    const { providers } = await listing.call("providers/list", {});
    expect(providers).toContainEqual(expect.objectContaining({ id: "corp", ready: true }));
    const { models } = await listing.call("models/list", { provider: "corp" });
    expect(models).toEqual([expect.objectContaining({ model: "m" })]);
    await listing.call("auth/list", {});
    await own.end(0);
    expect(new Set(Object.values(leaked("corp")).flat())).toEqual(new Set());
    expect(leaked("corp")).toHaveProperty("--ready");
  });

  it("gets those that were granted by name, from the next message on and in other servers, until they are withdrawn", async () => {
    const client = await start([turns.calls([startSubagentCall("a task")]), turns.say("Done.", { repeat: "always" })]);
    corp();
    await decide(client, "trust");
    const granted = await grant(client, "CORP_TOKEN");
    expect(states(granted)).toEqual({ ...all("withheld"), CORP_TOKEN: "granted" });
    expect(of(granted)).toMatchObject({ path: ".harness/providers/corp", variables: [{ set: true }, {}, {}] });
    await client.call("plugin/test", { cwd: cwd(), path: ".harness/providers/corp" });
    await talk(client);
    expect(leaked("corp")).toMatchObject({ "--ready": ["corp-secret"], "--stream": ["corp-secret"], "--env": [] });
    const other = await connect();
    expect(states(await view(other))).toEqual({ ...all("withheld"), CORP_TOKEN: "granted" });

    await grant(client);
    renameSync(starts(), `${starts()}.before`);
    mkdirSync(starts());
    await talk(client);
    expect(leaked("corp")["--stream"]).toEqual([]);
    expect(states(await view(other))).toEqual(all("withheld"));
  });

  it("is asked about again when the program changes or names more, and keeps nothing but what the same file has", async () => {
    const client = await start();
    corp("", ["CORP_TOKEN"]);
    await decide(client, "trust");
    await grant(client, "CORP_TOKEN");
    // Its list of secrets has changed; the program file is the same.
    asksFor("corp", "CORP_TOKEN", "GITHUB_TOKEN");
    const later = await connect();
    expect(states(await view(later))).toEqual({ CORP_TOKEN: "granted", GITHUB_TOKEN: "undecided" });
    await talk(later);
    expect(leaked("corp")["--stream"]).toEqual(["corp-secret"]);

    corp("// another\n", ["CORP_TOKEN"]);
    expect(await view(later)).toMatchObject({ state: "changed" });
    expect(await view(later)).not.toHaveProperty("secrets");
    expect(states(await decide(later, "trust"))).toEqual({ CORP_TOKEN: "undecided" });
    renameSync(starts(), `${starts()}.before`);
    mkdirSync(starts());
    await talk(later);
    expect(leaked("corp")["--stream"]).toEqual([]);
    await decide(later, "refuse");
    await decide(later, "trust");
    expect(states(await view(later))).toEqual({ CORP_TOKEN: "undecided" });
  });

  it("keeps its grants when another file of the folder changes", async () => {
    const client = await start();
    corp();
    await decide(client, "trust");
    await grant(client, "CORP_TOKEN");
    put(".harness/settings.json", '{"max_turns":7}');
    expect(states(await decide(client, "trust"))).toMatchObject({ CORP_TOKEN: "granted" });
    expect(states(await decide(await connect(), "session"))).toMatchObject({ CORP_TOKEN: "granted" });
    await decide(client, "forget");
    expect(states(await decide(client, "trust"))).toEqual(all("undecided"));
  });

  it("is granted secrets for the session where the trust is for the session", async () => {
    const client = await start();
    corp();
    await decide(client, "session");
    expect(states(await grant(client, "CORP_TOKEN"))).toMatchObject({ CORP_TOKEN: "granted" });
    await talk(client);
    expect(leaked("corp")["--stream"]).toEqual(["corp-secret"]);
    expect(existsSync(join(live.home, "trust.json"))).toBe(false);
    expect(states(await decide(await connect(), "session"))).toEqual(all("undecided"));
    await decide(client, "session");
    expect(states(await view(client))).toEqual(all("undecided"));
  });

  it("is one of several: what one is granted, another is not, nor one that is a link to it", async () => {
    const client = await start();
    corp();
    put(".harness/providers/other", program("other", Object.keys(secrets)), 0o755);
    symlinkSync("corp", join(live.cwd, ".harness/providers/linked"));
    await decide(client, "trust");
    const trust = await grant(client, "CORP_TOKEN", "GITHUB_TOKEN");
    expect(states(trust, "other")).toEqual(all("undecided"));
    expect(states(trust, "linked")).toEqual(all("undecided"));
    await talk(client, "other");
    expect(leaked("other")["--stream"]).toEqual([]);
    await talk(client, "linked");
    expect(leaked("corp")["--stream"]).toEqual([]);
  });

  it("is a link to a program, whose change ends the grant", async () => {
    const client = await start();
    put("tools/program", program("corp", ["CORP_TOKEN"]), 0o755);
    mkdirSync(join(live.cwd, ".harness/providers"), { recursive: true });
    symlinkSync("../../tools/program", join(live.cwd, ".harness/providers/corp"));
    await decide(client, "trust");
    await grant(client, "CORP_TOKEN");
    await talk(client);
    expect(leaked("corp")["--stream"]).toEqual(["corp-secret"]);
    put("tools/program", program("corp", ["CORP_TOKEN"], "// another\n"), 0o755);
    expect(await view(client)).toMatchObject({ state: "changed" });
    expect(states(await decide(client, "trust"))).toEqual({ CORP_TOKEN: "undecided" });
  });

  it("cannot grant itself anything by files of the project", async () => {
    const client = await start();
    corp();
    await decide(client, "trust");
    await grant(client, "OPENAI_API_KEY");
    const forged = readFileSync(join(live.home, "trust.json"), "utf8").replaceAll(
      '"OPENAI_API_KEY"\n',
      '"OPENAI_API_KEY", "GITHUB_TOKEN", "CORP_TOKEN"\n',
    );
    expect(JSON.parse(forged).roots[0].grants[0].granted).toContain("CORP_TOKEN");
    await grant(client);
    for (const path of [
      "trust.json",
      ".harness/trust.json",
      ".harness/providers/trust.json",
      ".config/harness/trust.json",
    ])
      put(path, forged);
    put(".env", "HARNESS_HOME=.harness\n");
    expect(states(await decide(client, "trust"))).toEqual(all("withheld"));
    await talk(await connect());
    expect(leaked("corp")["--stream"]).toEqual([]);
  });

  it("is granted only what it asks for, as it is, and once it is trusted", async () => {
    const client = await start();
    corp("", ["CORP_TOKEN"]);
    const call = (provider: string, hash: string, names: string[]) =>
      client.call("trust/grant", { cwd: cwd(), provider, hash, names });
    await expect(call("corp", "x", ["CORP_TOKEN"])).rejects.toMatchObject({ kind: "invalid_params" });
    await decide(client, "trust");
    const { hash } = of(await view(client));
    await expect(call("corp", hash, ["GITHUB_TOKEN"])).rejects.toMatchObject({
      message: 'corp does not ask for "GITHUB_TOKEN". It asks for CORP_TOKEN.',
    });
    await expect(call("openai", hash, [])).rejects.toMatchObject({ kind: "invalid_params" });
    await expect(call("corp", "another", ["CORP_TOKEN"])).rejects.toMatchObject({ kind: "conflict" });
    expect(states(await view(client))).toEqual({ CORP_TOKEN: "undecided" });
  });

  it("fails with the name of what it lacks, and what to run", async () => {
    const client = await start();
    corp('if (question === "--stream") { console.error("no token"); process.exit(1); }\n', ["CORP_TOKEN"]);
    await decide(client, "trust");
    await talk(client).catch(() => undefined);
    const { session } = await client.call("session/new", { cwd: cwd(), config: { provider: "corp", model: "m" } });
    await client.call("session/prompt", { sessionId: session.sessionId, promptId: "q", prompt: say("go") });
    await live.idle();
    const words =
      "CORP_TOKEN is set, but not granted to this project's provider. To grant it: harness trust --provider corp --grant CORP_TOKEN";
    expect(JSON.stringify(live.updates)).toContain(words);
  });
});

describe("a trusted project's .conf file over the wire", () => {
  it("gets the key that it names once that is granted", async () => {
    const client = await start();
    put(".harness/providers/corp.conf", `url=${live.model.baseUrl}\nmodel=m\nauth_env=CORP_TOKEN\n`);
    const trust = await decide(client, "trust");
    expect(states(trust)).toEqual({ CORP_TOKEN: "undecided" });
    await talk(client);
    expect(live.model.chatRequests).toEqual([]);
    await grant(client, "CORP_TOKEN");
    await talk(client);
    expect(live.model.chatRequests.at(-1)?.headers.authorization).toBe("Bearer …cret");
  });
});

it("a person's own provider program gets what it names, with no question", async () => {
  const client = await start();
  mkdirSync(join(live.home, ".harness/providers"), { recursive: true });
  writeFileSync(join(live.home, ".harness/providers/corp"), program("corp", Object.keys(secrets)), { mode: 0o755 });
  expect(await view(client)).not.toHaveProperty("secrets");
  await talk(client);
  expect(leaked("corp")["--stream"]).toEqual(["corp-secret", "github-secret", "openai-secret"]);
});

it("the setting pass_env of a trusted project passes no secret on to its programs", async () => {
  const client = await start();
  put(".harness/settings.json", JSON.stringify({ pass_env: "OPENAI_API_KEY, CORP_URL" }));
  put(
    ".harness/commands/show",
    `#!/bin/sh\n[ "$1" = --describe ] && echo Shows. || env > '${join(starts(), "show")}'\n`,
    0o755,
  );
  await decide(client, "trust");
  const { session } = await client.call("session/new", { cwd: cwd() });
  await client.call("command/run", { sessionId: session.sessionId, name: "show" });
  const seen = readFileSync(join(starts(), "show"), "utf8");
  expect(seen).toContain("CORP_URL=");
  expect(seen).not.toContain("secret");
});
