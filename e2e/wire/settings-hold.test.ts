// Every setting against an open session: a change takes effect when its row says so.
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type addressSettings, type PartialSettings, type SettingKey, settings } from "@harness/protocol";
import { turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fileProbes, foundOutside, hasFile, keyNotes, named, undone } from "../support/changing-answers.ts";
import { ChangingServer, type Seen } from "../support/changing-server.ts";
import type { Turns } from "../support/observe-turn.ts";
import { body, compactions, failure, has, hasNot, last, offered, offers, system, text } from "../support/seen-parts.ts";
import {
  BUSY,
  bash,
  CHILD,
  child,
  END,
  FAR,
  LATE,
  LONG,
  long,
  MANY,
  search,
  twoAgents,
  write,
} from "../support/setting-scripts.ts";
import { windowSettings } from "../support/window-settings.ts";

type AddressKey = keyof typeof addressSettings;
/** How a setting shows: the session's behaviour before and after the change. */
type Probe = {
  /** Settings that the effect depends on. */
  with?: PartialSettings;
  change: PartialSettings;
  /** The model's answers. */
  script?: Turns;
  /** Each session has its own folder. */
  isApart?: true;
  /** `server`: for queries after the turn. */
  shows: (observed: Seen, server: ChangingServer, sessionId: string) => unknown;
  before: unknown;
  after: unknown;
};

const oneRequest = {
  script: [turns.call("ls"), turns.say("end")],
  shows: ({ bodies }: Seen) => bodies.length,
  before: 2,
  after: 1,
};
const isStreamed = hasFile("conversations", ".stream");
const onOllama = { provider: "ollama" };
const mcpServer = (name: string, fault = "") =>
  `${name}=${process.execPath} ${resolve(import.meta.dirname, "../../packages/mcp/test/servers/plain-server.ts")} ${fault}`;
const probes: Record<SettingKey, Probe> = {
  provider: { change: onOllama, shows: ({ server }) => server, before: "openai", after: "ollama" },
  model: { change: { model: "other" }, shows: body("model"), before: "scripted", after: "other" },
  ollama_url: addressOf("ollama", "ollama_url"),
  llamacpp_url: addressOf("llamacpp", "llamacpp_url"),
  vllm_url: addressOf("vllm", "vllm_url"),
  lmstudio_url: addressOf("lmstudio", "lmstudio_url"),
  openai_base_url: addressOf("openai", "openai_base_url"),
  custom_instructions: {
    change: { custom_instructions: "Answer in verse." },
    shows: system,
    before: hasNot("Answer in verse."),
    after: has("Answer in verse."),
  },
  project_md_files: {
    change: { project_md_files: ["rules/extra.md"] },
    shows: system,
    before: hasNot("Extra rules."),
    after: has("Extra rules."),
  },
  permission_mode: {
    change: { permission_mode: "deny" },
    script: write,
    shows: ({ outcomes }) => outcomes[0]?.status,
    before: "ok",
    after: "denied",
  },
  preferred_mode: { change: { preferred_mode: "casual" }, shows: system, before: has("coding"), after: has("casual") },
  strict: {
    change: { strict: true },
    script: [turns.call("ls"), turns.say("end")],
    shows: ({ asked }) => asked.length,
    before: 0,
    after: 1,
  },
  auto_accept_safe_commands: {
    change: { auto_accept_safe_commands: false },
    script: bash("ls"),
    shows: ({ asked }) => asked.length,
    before: 0,
    after: 1,
  },
  safe_command_prefixes: {
    change: { safe_command_prefixes: ["touch"] },
    script: bash("touch x"),
    shows: ({ asked }) => asked.length,
    before: 1,
    after: 0,
  },
  denied_command_prefixes: {
    change: { denied_command_prefixes: ["ls"] },
    script: bash("ls"),
    shows: ({ outcomes }) => outcomes[0]?.status,
    before: "ok",
    after: "denied",
  },
  recall_sessions: offers("recall", { recall_sessions: "on" }),
  additional_directories: {
    get change() {
      return { additional_directories: [shared.outside] };
    },
    get script() {
      return [turns.call("ls", { path: shared.outside }), turns.say("end")];
    },
    shows: ({ asked }) => asked.length,
    before: 1,
    after: 0,
  },
  repository_map: {
    with: { context_limit: 128_000 },
    change: { repository_map: "off" },
    shows: system,
    before: has("src/store.ts: openStore"),
    after: hasNot("src/store.ts: openStore"),
  },
  index_collections: {
    get change() {
      return { index_collections: [`docs=${shared.outside}`] };
    },
    shows: foundOutside,
    before: [],
    after: [has("marmot.md")],
  },
  ...fileProbes,
  sandbox: offers("outside_sandbox", { sandbox: "auto" }),
  sandbox_domains: {
    with: { sandbox: "auto", permission_mode: "allow-all" },
    change: { sandbox_domains: ["registry.example"] },
    // The note for the model names what can be reached; without a sandbox it names neither.
    script: bash("echo Network is unreachable; exit 1"),
    shows: text,
    before: hasNot("registry.example"),
    after: expect.stringMatching(/reaches only registry\.example|unsandboxed/),
  },
  local_only: { change: { local_only: true }, shows: ({ hud }) => hud.localOnly, before: undefined, after: true },
  session_format: { change: { session_format: "markdown" }, shows: hasFile("sessions"), before: false, after: true },
  session_stream: { change: { session_stream: true }, shows: isStreamed, before: false, after: true },
  checkpoints: {
    change: { checkpoints: false },
    script: write,
    shows: undone,
    before: has("new.txt"),
    after: hasNot("new.txt"),
  },
  checkpoint_max_file_bytes: {
    change: { checkpoint_max_file_bytes: 4 },
    script: write,
    shows: undone,
    before: has("new.txt"),
    after: expect.stringMatching(/too large|left out|not kept/),
  },
  index_min_files: offers("semantic_search", { index_min_files: 1 }),
  web_search: {
    with: { web_search: "searxng" },
    change: { web_search: "off" },
    script: search,
    shows: text,
    before: has("not set up"),
    after: has("switched off"),
  },
  searxng_url: {
    with: { web_search: "searxng" },
    change: { searxng_url: "http://127.0.0.1:9" },
    script: search,
    shows: text,
    before: has("not set up"),
    after: hasNot("not set up"),
  },
  mcp_servers: offers("mcp__a__", { mcp_servers: [mcpServer("a")] }),
  mcp_start: {
    with: { mcp_servers: [mcpServer("started")] },
    change: { mcp_start: "session" },
    isApart: true,
    shows: (_, server, sessionId) => server.startedByOpening(sessionId),
    before: [],
    after: ["started"],
  },
  mcp_sampling: {
    with: { mcp_servers: [mcpServer("sampling", "asks-more")], mcp_wait_ms: 60_000 },
    change: { mcp_sampling: "ask" },
    script: [turns.call("mcp__sampling__sample"), turns.say("end")],
    shows: text,
    before: has("Method not found"),
    after: has("Nobody can be asked here"),
  },
  mcp_wait_ms: {
    with: { mcp_servers: [mcpServer("b")], mcp_wait_ms: 60_000 },
    change: { mcp_servers: [mcpServer("c")], mcp_wait_ms: 0 },
    shows: offered,
    before: has("mcp__b__"),
    after: hasNot("mcp__c__"),
  },
  effort: { change: { effort: "high" }, shows: body("reasoning_effort"), before: undefined, after: "high" },
  context_limit: {
    change: { context_limit: 20_000 },
    shows: ({ hud }) => hud.context?.windowTokens,
    before: expect.not.toSatisfy((tokens) => tokens === 20_000),
    after: 20_000,
  },
  max_output_tokens: {
    with: onOllama,
    change: { max_output_tokens: 77 },
    shows: ({ bodies }) => JSON.stringify(bodies[0]?.options),
    before: hasNot("77"),
    after: has("77"),
  },
  keep_alive: { with: onOllama, change: { keep_alive: "2h" }, shows: body("keep_alive"), before: "15m", after: "2h" },
  stream_replies: { change: { stream_replies: false }, shows: body("stream"), before: true, after: false },
  reasoning_summary: {
    with: { provider: "chatgpt" },
    change: { reasoning_summary: "detailed" },
    shows: body("reasoning"),
    before: { summary: "auto" },
    after: { summary: "detailed" },
  },
  request_timeout_secs: {
    with: { max_retries: 0 },
    change: { request_timeout_secs: 1 },
    script: LATE,
    shows: failure,
    before: undefined,
    after: has("did not answer for 1 s"),
  },
  max_retries: { change: { max_retries: 0 }, script: BUSY, shows: ({ bodies }) => bodies.length, before: 3, after: 1 },
  ollama_timeout_secs: {
    with: { ...onOllama, ollama_max_retries: 0 },
    change: { ollama_timeout_secs: 1 },
    script: LATE,
    shows: failure,
    before: undefined,
    after: has("did not answer for 1 s"),
  },
  ollama_max_retries: {
    with: onOllama,
    change: { ollama_max_retries: 0 },
    script: BUSY,
    shows: ({ bodies }) => bodies.length,
    before: 3,
    after: 1,
  },
  keyring: {
    change: { keyring: "off" },
    shows: keyNotes,
    before: has("No system keyring here"),
    after: "",
  },
  max_turns: { change: { max_turns: 1 }, ...oneRequest },
  max_tool_calls: {
    change: { max_tool_calls: 1 },
    script: MANY,
    shows: ({ outcomes }) => outcomes.map(({ status }) => status).sort(),
    before: ["ok", "ok"],
    after: ["error", "ok"],
  },
  max_agent_depth: {
    change: { max_agent_depth: 1 },
    script: [child, turns.call("agent", { task: "y" }), END],
    shows: ({ outcomes }) => outcomes.map(({ status }) => status).sort(),
    before: ["ok", "ok"],
    after: ["error", "ok"],
  },
  max_agents: { change: { max_agents: 1 }, ...twoAgents },
  max_session_agents: { change: { max_session_agents: 1 }, ...twoAgents },
  max_server_agents: { change: { max_server_agents: 1 }, ...twoAgents },
  max_agent_starts: { change: { max_agent_starts: 1 }, ...twoAgents },
  max_agent_tokens: {
    change: { max_agent_tokens: 2 },
    script: CHILD,
    shows: last,
    before: has("COMPLETED: end"),
    after: has("used up its budget of 2 tokens"),
  },
  max_agent_seconds: {
    change: { max_agent_seconds: 1 },
    script: [child, turns.call("bash", { command: "sleep 1.3" }), END],
    shows: last,
    before: has("COMPLETED: end"),
    after: has("used up its budget of 1 s"),
  },
  max_agent_usd: {
    change: { max_agent_usd: 0.001 },
    script: CHILD,
    shows: last,
    before: has("COMPLETED: end"),
    after: has("used up its budget of $0.001"),
  },
  max_daily_usd: { change: { max_daily_usd: 0.001 }, ...oneRequest, after: 0 },
  auto_compact_enabled: {
    with: { context_limit: 2_048 },
    change: { auto_compact_enabled: false },
    script: LONG,
    shows: ({ bodies }) => bodies.some((each) => JSON.stringify(each).includes("You summarise a coding agent")),
    before: true,
    after: false,
  },
  compact_trigger: {
    with: { context_limit: 8_192 },
    change: { compact_trigger: 30 },
    script: LONG,
    shows: ({ updates }) => compactions(updates).length > 0,
    before: false,
    after: true,
  },
  compact_target: {
    with: { context_limit: 40_000, compact_trigger: 30 },
    change: { compact_target: 10 },
    script: [...Array.from({ length: 40 }, (_, n) => long(n + 1)), END],
    shows: ({ updates }) => (compactions(updates)[0]?.tokensAfter ?? 0) > 4_000,
    before: true,
    after: false,
  },
  compact_strategy: {
    with: { context_limit: 2_048 },
    change: { compact_strategy: "agent" },
    script: LONG,
    shows: ({ bodies }) =>
      bodies.some((each) => JSON.stringify(each.tools ?? []).includes("verify_compression_target")),
    before: false,
    after: true,
  },
  fallback_models: {
    with: { max_retries: 0 },
    change: { fallback_models: ["smaller"] },
    script: BUSY,
    shows: ({ bodies }) => bodies.at(-1)?.model,
    before: "scripted",
    after: "smaller",
  },
  compact_model: {
    with: { context_limit: 2_048 },
    change: { compact_model: "smaller" },
    script: LONG,
    shows: ({ bodies }) => bodies.find((each) => JSON.stringify(each).includes("You summarise a coding agent"))?.model,
    before: "scripted",
    after: "smaller",
  },
  title_model: {
    change: { title_model: "other" },
    script: [turns.say("end"), turns.say("**A fine name**.")],
    shows: named,
    before: undefined,
    after: expect.objectContaining({ title: "A fine name", origin: { by: "model", messages: 2 }, model: "other" }),
  },
  extract_files_above: {
    change: { extract_files_above: 50 },
    script: [
      turns.call("read", { file_path: "large.txt" }),
      turns.say('{"line_ranges":[[1,3]],"summary":"the same"}'),
      turns.say("end"),
    ],
    shows: text,
    before: hasNot("An extract of"),
    after: has("[An extract of large.txt, 80 lines: 1-3"),
  },
  working_context: {
    with: { context_limit: 200_000 },
    change: { working_context: false },
    script: [turns.call("todo", { todos: [{ text: "mend it" }] }), ...FAR, turns.say("end")],
    shows: ({ updates }) =>
      updates.some(({ update }) => update.sessionUpdate === "user_message" && update.kind === "working_context"),
    before: true,
    after: false,
  },
  tool_timeout_ms: {
    change: { tool_timeout_ms: 1_000 },
    script: bash("sleep 1.3"),
    shows: text,
    before: "(no output)",
    after: has("not finished after 1 second"),
  },
  tool_max_chars: {
    change: { tool_max_chars: ["bash=50"] },
    script: bash("seq 1 100"),
    shows: text,
    before: hasNot("characters left out"),
    after: has("characters left out"),
  },
  tool_max_ms: {
    change: { tool_max_ms: ["bash=100"] },
    script: bash("sleep 0.3; echo done"),
    shows: text,
    before: has("done"),
    after: has("it had not ended after 100 ms"),
  },
  file_encoding: {
    change: { file_encoding: "windows-1251" },
    script: [turns.call("read", { file_path: "russian.txt" }), turns.say("end")],
    shows: text,
    before: has("read as Latin-1"),
    after: has("Мир"),
  },
  pass_env: givesSpecial({ pass_env: "SPECIAL" }),
  environment_command: givesSpecial({ environment_command: "echo SPECIAL=of the person" }),
  prompt_history: {
    change: { prompt_history: false },
    shows: async (_, { client, live }) => {
      await client.call("prompts/add", { cwd: live.cwd, text: "typed" });
      return (await client.call("prompts/list", { cwd: live.cwd })).prompts.length;
    },
    ...{ before: 1, after: 0 },
  },
  ...probesOfWindow(),
};

function givesSpecial(change: PartialSettings): Probe {
  const script = bash("printenv SPECIAL");
  return { change, script, shows: text, before: hasNot("of the person"), after: has("of the person") };
}

let shared: ChangingServer;
beforeAll(async () => {
  shared = await ChangingServer.start();
});
afterAll(() => shared.close());

/** A vendor is reached at the configured address, and not before. */
function addressOf(provider: string, key: AddressKey): Probe {
  return {
    with: { provider, [key]: "http://127.0.0.1:1/v1" },
    get change() {
      const { ollama_url, openai_base_url } = shared.addresses;
      return { [key]: provider === "ollama" ? ollama_url : openai_base_url };
    },
    shows: ({ server }) => server,
    before: undefined,
    after: provider === "ollama" ? "ollama" : "openai",
  };
}

/** A setting of the window, whose own tests show the effect: the window gets the new value. */
function probesOfWindow(): Record<keyof typeof windowSettings, Probe> {
  const probes = Object.entries(windowSettings).map(([key, [before, after]]) => {
    const shows: Probe["shows"] = async (_, { client, live }) =>
      (await client.call("settings/get", { cwd: live.cwd })).settings.find((view) => view.key === key)?.value;
    return [key, { change: { [key]: after }, shows, before, after }];
  });
  // One for each key; the compiler cannot see that.
  return Object.fromEntries(probes) as Record<keyof typeof windowSettings, Probe>;
}

/** The probe's observation of a turn. */
async function shown(server: ChangingServer, sessionId: string, probe: Probe): Promise<unknown> {
  return probe.shows(await server.look(sessionId, probe.script), server, sessionId);
}

const keys = Object.keys(settings) as SettingKey[];
const everything = Object.fromEntries(keys.map((key) => [key, null]));
/** They take effect after some seconds: each has its own server, and they wait concurrently. */
const slow = keys.filter((key) =>
  /^(?:request|ollama|tool)_timeout_(?:secs|ms)$|^max_agent_seconds$|^title_model$/.test(key),
);

async function changed(server: ChangingServer, key: SettingKey): Promise<void> {
  const probe = probes[key];
  await server.set({ ...everything, provider: "openai", model: "scripted", ...server.addresses, ...probe.with });
  const sessionId = await server.open(probe.isApart);
  expect(await shown(server, sessionId, probe)).toEqual(probe.before);
  await server.set(probe.change);
  const isForNew = settings[key].takesEffect === "new sessions";
  expect(await shown(server, sessionId, probe)).toEqual(isForNew ? probe.before : probe.after);
  if (isForNew) expect(await shown(server, await server.open(probe.isApart), probe)).toEqual(probe.after);
}

describe("a setting that is changed while a session is open", () => {
  it("a file that was edited by hand takes effect at the next request as well", async () => {
    await shared.set({ ...everything, provider: "openai", model: "scripted", ...shared.addresses });
    const sessionId = await shared.open();
    const probe = probes.permission_mode;
    expect(await shown(shared, sessionId, probe)).toBe("ok");
    const edited = { ...shared.addresses, provider: "openai", model: "other", permission_mode: "deny" };
    writeFileSync(join(shared.live.home, "settings.json"), JSON.stringify(edited));
    const after = await shared.look(sessionId, probe.script);
    expect([probe.shows(after, shared, sessionId), body("model")(after)]).toEqual(["denied", "other"]);
    expect(after.hud.permissionMode).toBe("deny");
  });

  it.each(keys.filter((key) => !slow.includes(key)))("%s takes effect when its row says", (key) =>
    changed(shared, key),
  );
});

describe.concurrent("a setting of a time that is changed while a session is open", () => {
  it.each(slow)("%s takes effect when its row says", async (key) => {
    const server = await ChangingServer.start();
    await changed(server, key).finally(() => server.close());
  });
});
