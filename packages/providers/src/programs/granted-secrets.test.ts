// A project's provider gets the secrets that the user granted it, by name, however it is started.
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { endEvent, failedEvent, startModelServer, talk, turns } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { realClock } from "../../test/clocks.ts";
import { createProvider } from "../../test/create-provider.ts";
import { listModels, listProviders, resolveModel } from "../../test/resolver.ts";
import { VendorFiles } from "../vendor-files/vendor-files.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "harness grants ")));
  mkdirSync(join(folder, "own"));
  mkdirSync(join(folder, "project"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const noServers = { OLLAMA_HOST: ":1", LLAMACPP_URL: "http://127.0.0.1:1", VLLM_URL: ":1", LMSTUDIO_URL: ":1" };
const reply = `data: ${JSON.stringify({ choices: [{ delta: { content: "Hi." }, finish_reason: "stop" }] })}`;

/** A program that records its environment at each start, by its argument. */
function program(
  where: "own" | "project",
  name: string,
  { asks, stream = "yes", ready = "exit 0" }: { asks: readonly string[]; stream?: string; ready?: string },
): string {
  const path = join(folder, where, name);
  const script = [
    "#!/bin/sh",
    `env > '${folder}'/"${name}$1"`,
    'case "$1" in',
    `--describe) echo ${name} ;;`,
    `--defaults) printf 'model=m\\nstream=${stream}\\n' ;;`,
    `--env) printf '${asks.join("\\n")}\\n' ;;`,
    `--ready) ${ready} ;;`,
    `*) cat > /dev/null; printf '%s\\n\\n' '${reply}' ;;`,
    "esac",
  ];
  writeFileSync(path, `${script.join("\n")}\n`);
  chmodSync(path, 0o755);
  return path;
}

type Env = Record<string, string>;
const PATH = process.env.PATH ?? "";

const load = (env: Env, granted: Record<string, readonly string[]> = {}) =>
  new VendorFiles().load({
    folders: [join(folder, "own")],
    projects: {
      folders: [join(folder, "project")],
      isTrusted: () => true,
      granted: (path) => granted[basename(path, ".conf")] ?? [],
    },
    env: { ...noServers, PATH, ...env },
    clock: realClock,
  });

/** The environments of all starts of a program, after everything that harness starts it for. */
async function startAll(name: string, env: Env, granted: readonly string[] = []): Promise<Record<string, Env>> {
  const registry = await load(env, { [name]: granted });
  const sources = { env: { ...noServers, PATH, ...env }, clock: realClock, registry };
  await listProviders(sources);
  await listModels({ ...sources, provider: name });
  await resolveModel({ ...sources, provider: name });
  const vendor = registry.of(name);
  if (!vendor) throw new Error(registry.problems.join("\n"));
  const provider = createProvider(vendor, { env: sources.env, clock: realClock, random: () => 0 });
  expect(endEvent(await talk(provider)).parts).toEqual([{ type: "text", text: "Hi." }]);
  const starts = readdirSync(folder).filter((file) => file.startsWith(name));
  return Object.fromEntries(starts.map((file) => [file.slice(name.length), seen(file)]));
}

const seen = (file: string): Env =>
  Object.fromEntries(
    readFileSync(join(folder, file), "utf8")
      .split("\n")
      .filter((line) => line.includes("="))
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );

const secrets: Env = {
  OPENAI_API_KEY: "openai-secret",
  GITHUB_TOKEN: "github-secret",
  AWS_SECRET_ACCESS_KEY: "aws-secret",
  DB_PASS: "db-secret",
  HARNESS_HOME: "/home-secret",
  HARNESS_CLAUDE_CLIENT_ID: "client-secret",
  PLAIN: "https://u:url-secret@host/",
  LC_TOKEN: "locale-secret",
};
const harmless: Env = { CORP_URL: "https://corp.example/v1", CORP_REGION: "eu", HTTP_PROXY: "http://proxy:3128" };

describe.each(["yes", "no"])("a project's program, with stream=%s", (stream) => {
  const asks = [...Object.keys(secrets), "CORP_URL", "CORP_REGION", "HARNESS_MODEL"];

  it("gets no secret that was not granted, however it is started", async () => {
    program("project", "corp", { asks, stream });
    const starts = await startAll("corp", { ...secrets, ...harmless, HTTPS_PROXY: "http://u:proxy-secret@proxy:3128" });
    const request = stream === "no" ? "" : "--stream";
    expect(Object.keys(starts).sort()).toEqual([request, "--defaults", "--describe", "--env", "--ready"].sort());
    expect(JSON.stringify(starts)).not.toContain("secret");
    expect(starts[request]).toMatchObject({ ...harmless, HARNESS_MODEL: "scripted-model" });
    expect(starts["--ready"]).toMatchObject(harmless);
  });

  it("gets what was granted by name and what it names, and nothing else", async () => {
    program("project", "corp", { asks: asks.filter((name) => name !== "GITHUB_TOKEN"), stream });
    const granted = ["OPENAI_API_KEY", "PLAIN", "GITHUB_TOKEN"];
    const starts = await startAll("corp", { ...secrets, ...harmless, OTHER: "unnamed-secret" }, granted);
    for (const flag of ["--ready", stream === "no" ? "" : "--stream"]) {
      const text = JSON.stringify(starts[flag]);
      expect(text.match(/[a-z]+-secret/g)?.sort()).toEqual(["openai-secret", "url-secret"]);
    }
    for (const flag of ["--describe", "--defaults", "--env"])
      expect(JSON.stringify(starts[flag])).not.toContain("secret");
  });
});

it("a person's own program gets what it names", async () => {
  program("own", "mine", { asks: Object.keys(secrets) });
  const { "--stream": env, "--ready": ready } = await startAll("mine", secrets);
  const { LC_TOKEN: _, ...named } = secrets;
  expect(env).toMatchObject(named);
  expect(ready).toMatchObject(named);
});

it("what is granted to one program is not granted to another, or under another name", async () => {
  program("project", "corp", { asks: ["OPENAI_API_KEY"] });
  program("project", "other", { asks: ["OPENAI_API_KEY", "OPENAI_API_KEY2"] });
  const env = { OPENAI_API_KEY: "a-secret", OPENAI_API_KEY2: "b-secret" };
  const registry = await load(env, { corp: ["OPENAI_API_KEY"] });
  expect(registry.of("corp")?.secrets).toEqual({ requested: ["OPENAI_API_KEY"], granted: ["OPENAI_API_KEY"] });
  expect(registry.of("other")?.secrets).toEqual({ requested: ["OPENAI_API_KEY", "OPENAI_API_KEY2"], granted: [] });
  expect(JSON.stringify(await startAll("other", env))).not.toContain("secret");
});

it("the key of one of the person's own providers is a secret, whatever its name", async () => {
  writeFileSync(join(folder, "own", "team.conf"), "url=https://team.example/v1\nauth_env=TEAM_LLM\n");
  program("project", "corp", { asks: ["TEAM_LLM"] });
  expect((await load({})).of("corp")?.secrets?.requested).toEqual(["TEAM_LLM"]);
  expect(JSON.stringify(await startAll("corp", { TEAM_LLM: "team-secret" }))).not.toContain("team-secret");
});

describe("what a project's program lacks", () => {
  const asks = ["CORP_TOKEN", "OTHER_KEY", "CORP_URL"];
  const command = (...names: string[]) =>
    `harness trust --provider corp ${names.map((name) => `--grant ${name}`).join(" ")}`;

  it.each<[string, Env, readonly string[], string]>([
    [
      "set, but not granted",
      { CORP_TOKEN: "t", OTHER_KEY: "o" },
      ["OTHER_KEY"],
      `CORP_TOKEN is set, but not granted to this project's provider. To grant it: ${command("CORP_TOKEN")}`,
    ],
    ["granted, but not set", {}, ["CORP_TOKEN", "OTHER_KEY"], "CORP_TOKEN and OTHER_KEY are not set."],
    [
      "neither",
      { OTHER_KEY: "o" },
      [],
      "OTHER_KEY is set, but not granted to this project's provider. CORP_TOKEN is not set. " +
        `To grant them: ${command("CORP_TOKEN", "OTHER_KEY")}`,
    ],
  ])("is named, and what to do: %s", async (_name, env, granted, words) => {
    const path = program("project", "corp", { asks, ready: "echo 'needs a token' >&2; exit 1" });
    const registry = await load(env, { corp: granted });
    const sources = { env: { ...noServers, PATH, ...env }, clock: realClock, registry };
    const problem = `${path} --ready ended with exit code 1: needs a token. ${words}`;
    expect(await resolveModel({ ...sources, provider: "corp" })).toMatchObject({
      problem: `corp is not ready: ${problem}`,
    });
    expect((await listProviders(sources)).find(({ id }) => id === "corp")).toMatchObject({ detail: problem });
  });

  it("is said with the failure of a request, and not when nothing is missing", async () => {
    const path = program("project", "corp", { asks: ["CORP_TOKEN"] });
    writeFileSync(path, readFileSync(path, "utf8").replace("cat > /dev/null;", "cat > /dev/null; exit 3;"));
    const failure = async (granted: readonly string[]) => {
      const vendor = (await load({ CORP_TOKEN: "t" }, { corp: granted })).of("corp");
      if (!vendor) throw new Error("no corp");
      const provider = createProvider(vendor, { env: { PATH, CORP_TOKEN: "t" }, clock: realClock, random: () => 0 });
      return failedEvent(await talk(provider)).failure.message;
    };
    expect(await failure([])).toMatch(/exit code 3\. CORP_TOKEN is set, but not granted .* --grant CORP_TOKEN$/);
    expect(await failure(["CORP_TOKEN"])).toMatch(/exit code 3\.$/);
  });
});

describe("a project's .conf file", () => {
  it("gets the key that it names only when that was granted, whatever the name", async () => {
    const server = await startModelServer({
      flavour: "vllm",
      scenario: { turns: [turns.say("Hi.", { repeat: "always" })] },
    });
    writeFileSync(join(folder, "project", "acme.conf"), `url=${server.url}/v1\nmodel=m\nauth_env=ACME\n`);
    const env = { ...noServers, PATH, ACME: "acme-secret" };
    const ask = async (granted: readonly string[], more: Partial<typeof env> = {}) => {
      const registry = await load({ ...env, ...more } as Env, { acme: granted });
      return resolveModel({ env: { ...env, ...more }, clock: realClock, registry, provider: "acme" });
    };
    expect(await ask([])).toEqual({
      problem:
        "acme needs an API key. ACME is set, but not granted to this project's provider. " +
        "To grant it: harness trust --provider acme --grant ACME",
      advice: [],
    });
    expect(await ask([], { ACME: "" })).toMatchObject({
      problem: expect.stringMatching(/Set ACME in the environment .* --grant ACME$/),
    });
    expect(await ask(["ACME"], { ACME: "" })).toMatchObject({
      problem: expect.stringMatching(/Set ACME in the environment .*`harness auth set acme`\.$/),
    });
    expect(server.requests).toEqual([]);
    const choice = await ask(["ACME"]);
    if ("problem" in choice) throw new Error(choice.problem);
    await talk(choice.provider);
    expect(server.requests.at(-1)?.headers.authorization).toBe("Bearer …cret");
    await server.close();
  });
});
