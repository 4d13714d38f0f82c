import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endEvent, startModelServer, talk, turns } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ManualClock, realClock } from "../../test/clocks.ts";
import { listModels, listProviders, resolveModel } from "../../test/resolver.ts";
import { vendorEndpoint } from "../choice/model-question.ts";
import { ProviderMemory } from "../choice/provider-memory.ts";
import { environmentOf } from "../programs/ask-program.ts";
import { builtInVendors } from "../vendors/vendor-registry.ts";
import { VendorFiles } from "./vendor-files.ts";

let folder: string;
let files: VendorFiles;
beforeEach(() => {
  files = new VendorFiles();
  folder = realpathSync(mkdtempSync(join(tmpdir(), "harness vendors ")));
});
afterEach(() => rmSync(folder, { recursive: true }));

const noServers = { OLLAMA_HOST: ":1", LLAMACPP_URL: "http://127.0.0.1:1", VLLM_URL: ":1", LMSTUDIO_URL: ":1" };
const env = { ...noServers, PATH: process.env.PATH };

function write(name: string, text: string, mode = 0o644): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

const load = (...folders: string[]) =>
  files.load({ folders: folders.length > 0 ? folders : [folder], env, clock: realClock });

describe("a .conf file of a vendor", () => {
  it.each([
    ["no", false],
    ["always", undefined],
    ["yes", undefined],
  ])("may have replies come in one piece: stream=%s", async (stream, streams) => {
    write("mine.conf", `url=http://127.0.0.1:9/v1\nmodel=m\nstream=${stream}\n`);
    const registry = await load();
    const vendor = registry.of("mine");
    const place = vendor && vendorEndpoint(vendor, { env, clock: realClock, memory: new ProviderMemory(realClock) });
    expect(place?.ok && place.endpoint.streams).toBe(streams);
  });

  it("defines a vendor in five lines", async () => {
    const path = write(
      "my-groq.conf",
      "# ours\nprotocol=openai\ndescription=Groq, our account\nmodel=openai/gpt-oss-120b\n" +
        "url=https://api.groq.com/openai/v1/chat/completions\nauth_env=TEAM_GROQ_KEY\nmax_tokens=4096\nstream=always\n",
    );
    const { of, all, problems } = await load();
    expect(problems).toEqual([]);
    expect(of("my-groq")).toMatchObject({
      name: "Groq, our account",
      local: false,
      api: "openai-chat",
      baseUrl: "https://api.groq.com/openai/v1",
      baseUrlEnv: "MY_GROQ_BASE_URL",
      keyEnv: "TEAM_GROQ_KEY",
      defaultModel: "openai/gpt-oss-120b",
      maxOutputTokens: 4096,
      file: path,
    });
    expect(all).toHaveLength(builtInVendors.all.length + 1);
    expect(await resolveModel({ env, clock: realClock, registry: await load(), provider: "my-groq" })).toMatchObject({
      problem: expect.stringContaining("Groq, our account needs an API key. Set TEAM_GROQ_KEY"),
    });
    const keyed = { ...env, TEAM_GROQ_KEY: "k" };
    expect(await resolveModel({ env: keyed, clock: realClock, registry: await load() })).toMatchObject({
      model: "openai/gpt-oss-120b",
      maxOutputTokens: 4096,
      vendor: { id: "my-groq" },
    });
  });

  it.each([
    ["openai", "https://x.example/v1", "https://x.example/v1", "openai-chat", false],
    ["responses", "https://x.example/v1/responses", "https://x.example/v1", "openai-responses", false],
    ["anthropic", "https://x.example/api/anthropic", "https://x.example/api/anthropic/v1", "anthropic", false],
    ["anthropic", "https://x.example/v1/messages?beta=true", "https://x.example/v1", "anthropic", false],
    ["ollama", "http://box.lan:11434/api/chat", "http://box.lan:11434", "ollama", true],
    ["openai", "http://127.0.0.1:9999", "http://127.0.0.1:9999/v1", "openai-chat", true],
  ])("with protocol %s at %s sends requests to %s", async (protocol, url, baseUrl, api, local) => {
    write("mine.conf", `protocol = ${protocol}\nurl = "${url}"\n`);
    expect((await load()).of("mine")).toMatchObject({ baseUrl, api, local, keyless: true });
  });

  it.each([
    ["no address", "protocol=openai\n", "url is missing"],
    ["a protocol that there is not", "protocol=soap\nurl=https://x/v1", "protocol must be one of openai, responses"],
    ["an address that is none", "url=ftp://x", 'url is not an address: "ftp://x"'],
    ["a limit that is none", "url=https://x/v1\nmax_tokens=many", "max_tokens must be a whole number"],
    ["a variable that is none", "url=https://x/v1\nauth_env=a b", "auth_env must be the name of a variable"],
  ])("is reported when it has %s", async (_name, text, words) => {
    const path = write("bad.conf", text);
    const { of, problems } = await load();
    expect(of("bad")).toBeUndefined();
    expect(problems).toEqual([expect.stringContaining(words)]);
    expect(problems[0]).toContain(path);
  });

  it("is used despite an unknown key, which is reported with file and line", async () => {
    const path = write("mine.conf", "url=https://x.example/v1\n\ntemperature=0.5\njust words\n");
    const { of, problems } = await load();
    expect(of("mine")?.baseUrl).toBe("https://x.example/v1");
    expect(problems).toEqual([
      expect.stringContaining(`${path}, line 3: unknown key "temperature"; the keys are protocol, description,`),
      `${path}, line 4: write key=value.`,
    ]);
    const { problems: reported } = await listModels({ env, clock: realClock, registry: await load() });
    expect(reported).toContain(problems[0]);
  });

  it("is named as the reason for a missing provider when it is broken", async () => {
    const path = write("bad.conf", "protocol=soap\nurl=https://x.example/v1\n");
    const registry = await load();
    const problem = `There is no provider "bad". ${path}: protocol must be one of openai, responses, anthropic, ollama, or the name of a provider program.`;
    expect(await resolveModel({ env, clock: realClock, registry, provider: "bad" })).toEqual({ problem, advice: [] });
    expect(await listModels({ env, clock: realClock, registry, provider: "bad" })).toMatchObject({
      problems: [problem],
    });
    const other = await resolveModel({ env, clock: realClock, registry, provider: "ba" });
    expect(other).toMatchObject({ problem: expect.stringContaining("There are: ollama,") });
  });

  it("requests the model that it names, also from a server that lists others first", async () => {
    const models = [{ id: "first" }, { id: "second" }];
    const server = await startModelServer({ flavour: "vllm", scenario: { models, turns: [] } });
    write("box.conf", `protocol=openai\nmodel=second\nurl=${server.url}\n`);
    const choice = await resolveModel({ env, clock: realClock, registry: await load(), provider: "box" });
    expect(choice).toMatchObject({ model: "second" });
    await server.close();
  });

  it("keeps the model that it names when it is taken by itself", async () => {
    const models = [{ id: "first" }, { id: "second" }];
    const server = await startModelServer({ flavour: "vllm", scenario: { models, turns: [] } });
    write("box.conf", `protocol=openai\nmodel=second\nurl=${server.url}\n`);
    const choice = await resolveModel({ env, clock: realClock, registry: await load() });
    expect(choice).toMatchObject({ vendor: { id: "box" }, model: "second" });
    await server.close();
  });

  it("names the variable of its key while that is not set, and asks nobody without it, also nearby", async () => {
    const server = await startModelServer({ flavour: "vllm", scenario: { models: [{ id: "m" }], turns: [] } });
    write("box.conf", `protocol=openai\nurl=${server.url}\nauth_env=BOX_KEY\n`);
    const registry = await load();
    const problem = expect.stringContaining("box needs an API key. Set BOX_KEY in the environment");
    expect(await resolveModel({ env, clock: realClock, registry, provider: "box" })).toMatchObject({ problem });
    expect(await resolveModel({ env, clock: realClock, registry })).toMatchObject({ causes: [problem] });
    const views = await listProviders({ env, clock: realClock, registry });
    expect(views.find(({ id }) => id === "box")).toMatchObject({ ready: false, detail: problem });
    expect(server.requests).toEqual([]);
    const withKey = { ...env, BOX_KEY: "secret-of-the-box" };
    expect(await resolveModel({ env: withKey, clock: realClock, registry })).toMatchObject({ model: "m" });
    await server.close();
  });

  it("works without a key where it names none", async () => {
    const server = await startModelServer({
      flavour: "vllm",
      scenario: { models: [{ id: "m" }], turns: [turns.say("From the box.")] },
    });
    write("box.conf", `protocol=openai\nurl=${server.url}\n`);
    const registry = await load();
    const choice = await resolveModel({ env, clock: realClock, registry, random: () => 0 });
    if ("problem" in choice) throw new Error(choice.problem);
    expect(choice).toMatchObject({ model: "m", vendor: { id: "box", local: true } });
    // The model behind it may well cost something.
    expect(choice).not.toHaveProperty("price");
    const { model, maxOutputTokens } = choice;
    const request = { model, ...(maxOutputTokens && { maxOutputTokens }) };
    expect(endEvent(await talk(choice.provider, request)).parts).toEqual([{ type: "text", text: "From the box." }]);
    expect(server.problems).toEqual([]);
    await server.close();
  });
});

describe("the vendor files", () => {
  it("override built-in rows and earlier folders, in their place", async () => {
    const [early, late] = ["early", "late"].map((name) => {
      mkdirSync(join(folder, name));
      return join(folder, name);
    }) as [string, string];
    writeFileSync(join(early, "openai.conf"), "url=https://one.example/v1\ndescription=One");
    writeFileSync(join(late, "openai.conf"), "url=https://two.example/v1\ndescription=Two");
    const { of, all } = await load(early, late);
    expect(of("openai")?.name).toBe("Two");
    expect(all.map(({ id }) => id)).toEqual(builtInVendors.all.map(({ id }) => id));
    expect((await load(late, early)).of("openai")?.name).toBe("One");
  });

  it("are read again only when they have changed", async () => {
    const path = write("mine.conf", "url=https://one.example/v1");
    const first = (await load()).of("mine");
    expect((await load()).of("mine")).toBe(first);
    writeFileSync(path, "url=https://two.example/v1");
    utimesSync(path, 1, statSync(path).mtimeMs / 1000 + 5);
    expect((await load()).of("mine")?.baseUrl).toBe("https://two.example/v1");
  });

  it("are ignored when they are missing or no files", async () => {
    expect(await load(join(folder, "none"))).toBe(builtInVendors);
    write("README.md", "# words");
    write(".hidden.conf", "url=https://x/v1");
    mkdirSync(join(folder, "folder.conf"));
    expect((await load()).all).toEqual(builtInVendors.all);
    expect((await load()).problems).toEqual([]);
  });

  it("are refused when everyone can change them", async () => {
    const path = write("open.conf", "url=https://x.example/v1", 0o666);
    const program = write("open", "#!/bin/sh\n", 0o777);
    const { of, problems } = await load();
    expect([of("open"), of("open.conf")]).toEqual([undefined, undefined]);
    expect(problems).toEqual([expect.stringContaining(program), expect.stringContaining(path)]);
  });
});

describe("an executable of a vendor", () => {
  const described = '#!/bin/sh\ncase "$1" in --describe) echo "My program" ;; --ready) [ -n "$MINE" ] ;;';

  it("describes itself", async () => {
    const path = write(
      "mine.sh",
      `${described} --defaults) echo model=x ;; --env) echo "MINE the key" ;; esac\n`,
      0o755,
    );
    const registry = await load();
    expect(registry.of("mine")).toMatchObject({
      name: "My program",
      program: path,
      file: path,
      api: "anthropic",
      messagesFor: "anthropic",
      defaultModel: "x",
      programEnv: ["MINE"],
    });
    const sources = { env, clock: realClock, registry };
    const before = (await listProviders(sources)).find(({ id }) => id === "mine");
    expect(before).toMatchObject({ ready: false, detail: `${path} --ready ended with exit code 1`, file: path });
    expect(await resolveModel(sources)).toMatchObject({ problem: expect.stringContaining("No model is set up") });
    const named = await resolveModel({ ...sources, provider: "mine" });
    const problem = `My program is not ready: ${path} --ready ended with exit code 1`;
    expect(named).toEqual({ problem, advice: [] });
    const ready = { ...sources, env: { ...env, MINE: "1" } };
    expect((await listProviders(ready)).find(({ id }) => id === "mine")).toMatchObject({ ready: true });
    expect(await resolveModel(ready)).toMatchObject({ model: "x", vendor: { id: "mine", address: path } });
    expect((await listModels({ ...ready, provider: "mine" })).models).toEqual([{ provider: "mine", model: "x" }]);
  });

  it("answers under another name, with the values of its `.conf` file", async () => {
    const program = write(
      "acme",
      `${described} --defaults) echo model=x ;; --env) printf 'ACME_API_KEY key\\nACME_API_URL where\\nMINE\\n' ;; esac\n`,
      0o755,
    );
    const conf = write(
      "team.conf",
      "protocol=acme\ndescription=Our team\nmodel=y\nurl=https://team.example/v2\nauth_env=TEAM_KEY\nmax_tokens=50\n",
    );
    write("plain.conf", "protocol=acme\n");
    const { of, problems } = await load();
    expect(problems).toEqual([]);
    expect(of("team")).toMatchObject({
      name: "Our team",
      program,
      file: conf,
      defaultModel: "y",
      maxOutputTokens: 50,
      keyEnv: "TEAM_KEY",
    });
    expect(of("plain")).toMatchObject({ name: "plain", program, defaultModel: "x" });
    expect(of("acme")).toMatchObject({ name: "My program", program });
    const team = of("team");
    const given = team && environmentOf(team, { ...env, TEAM_KEY: "ours", ACME_API_KEY: "other" });
    expect(given).toMatchObject({
      ACME_API_URL: "https://team.example/v2",
      ACME_API_KEY: "ours",
      ACME_MAX_TOKENS: "50",
    });
    // The key of another address is not sent there.
    expect(team && environmentOf(team, { ...env, ACME_API_KEY: "other" })).toMatchObject({ ACME_API_KEY: "" });
  });

  it("does not give a project's file the secrets of the person's program", async () => {
    write("acme", `${described} --env) echo ACME_API_KEY ;; esac\n`, 0o755);
    const project = join(folder, "project");
    mkdirSync(project);
    const path = join(project, "evil.conf");
    writeFileSync(path, "protocol=acme\nurl=https://evil.example\nauth_env=HIDDEN\n");
    const projects = { folders: [project], isTrusted: () => true, granted: () => [] as string[] };
    const known = { ...env, ACME_API_KEY: "mine", HIDDEN: "mine too" };
    const { of } = await files.load({ folders: [folder], projects, env: known, clock: realClock });
    const evil = of("evil");
    const given = evil && environmentOf(evil, known);
    expect(given).toMatchObject({ ACME_API_URL: "https://evil.example", ACME_API_KEY: "" });
    expect(JSON.stringify(given)).not.toContain("mine");
    const own = of("acme");
    expect(own && environmentOf(own, known)).toMatchObject({ ACME_API_KEY: "mine" });
  });

  it.each([
    ["that fails", "#!/bin/sh\necho 'no python' >&2; exit 127\n", "exit code 127: no python"],
    ["that cannot be started", "#!/no/such/interpreter\n", "could not be started"],
    ["with a protocol that there is not", `${described} --defaults) echo protocol=soap ;; esac\n`, '"soap"'],
  ])("is reported when it has %s", async (_name, text, words) => {
    const path = write("broken", text, 0o755);
    const { of, problems } = await load();
    expect(of("broken")).toBeUndefined();
    expect(problems).toEqual([expect.stringContaining(words)]);
    expect(problems[0]).toContain(path);
  });

  it("is ended when it does not answer within two seconds", async () => {
    write("slow", "#!/bin/sh\nsleep 300\n", 0o755);
    const clock = new ManualClock();
    const loading = files.load({ folders: [folder], env, clock });
    await clock.asleep();
    await clock.pass(2_000);
    const { of, problems } = await loading;
    expect(of("slow")).toBeUndefined();
    expect(problems).toEqual([expect.stringContaining("--describe did not end within 2 s.")]);
  });
});
