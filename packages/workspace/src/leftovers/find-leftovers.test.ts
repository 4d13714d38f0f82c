import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findLeftovers } from "./find-leftovers.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "leftovers-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const TINY = ".config/tinyharness/settings.json";
const OPEN_ROUTER = ".agent-harness/settings.json";
const HS = ".harness/settings.conf";
const LOCAL = ".config/localharness/config.json";
const QDRANT = ".harness/config.json";

function put(name: string, content: unknown, changedAt = 1_000): string {
  const path = join(home, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  utimesSync(path, changedAt, changedAt);
  return path;
}

const look = (settings: Record<string, unknown> = {}) =>
  findLeftovers(
    { home, programHome: join(home, ".harness"), taken: new Set() },
    { settings, agents: new Set(), prompts: new Set(), rules: new Set() },
  ).items;
const coming = (settings?: Record<string, unknown>) => look(settings).flatMap(({ becomes }) => becomes ?? []);
const staying = (settings?: Record<string, unknown>) =>
  look(settings).flatMap(({ name, why }) => (why === undefined ? [] : `${name}: ${why}`));

describe("settings of TinyHarness", () => {
  it.each([
    [
      { last_provider: "Ollama", last_provider_url: "http://box:11434", last_model: "qwen3" },
      ["provider = ollama", "ollama_url = http://box:11434", "model = qwen3"],
    ],
    [
      { last_provider: "LlamaCpp", last_provider_url: "http://box:8080" },
      ["provider = llamacpp", "llamacpp_url = http://box:8080"],
    ],
    [{ last_provider: "llama.cpp" }, ["provider = llamacpp"]],
    [
      { last_provider: "vllm", last_provider_url: "http://box:8000" },
      ["provider = vllm", "vllm_url = http://box:8000"],
    ],
    [
      {
        last_provider: "OpenAiCompat",
        provider_urls: { OpenAiCompat: "http://a/v1", Vllm: "http://b" },
        provider_models: { OpenAiCompat: "m", Ollama: "other" },
      },
      ["provider = openai", "openai_base_url = http://a/v1", "vllm_url = http://b", "model = m"],
    ],
    [
      { last_provider: "Ollama", last_model: "old", provider_models: { Ollama: "new" } },
      ["provider = ollama", "model = old"],
    ],
    [{ preferred_mode: "Planning" }, ["preferred_mode = planning"]],
    [{ preferred_mode: "casual" }, []],
    // The program waits a minute longer than its file says.
    [{ ollama_timeout_secs: 10 }, ["ollama_timeout_secs = 70"]],
    [{ ollama_timeout_secs: 5, ollama_max_retries: 3, ollama_think_type: "Medium", show_thinking: false }, []],
    [
      { ollama_max_retries: 7, ollama_think_type: "Off", show_thinking: true },
      ["ollama_max_retries = 7", "effort = none", "show_thinking = true"],
    ],
    [{ ollama_think_type: "high" }, ["effort = high"]],
    [{ context_limit: 16_384, auto_compact_enabled: false }, ["context_limit = 16384", "auto_compact_enabled = false"]],
    [{ context_limit: null, safe_command_prefixes: null, last_model: null }, []],
    [{ auto_accept_safe_commands: false }, ["auto_accept_safe_commands = false"]],
    [{ auto_accept_mode: "off" }, ["auto_accept_safe_commands = false"]],
    [{ auto_accept_mode: "safe" }, []],
    [
      { denied_command_prefixes: ["git push"], project_md_files: ["RULES.md"] },
      ['denied_command_prefixes = ["git push"]', 'project_md_files = ["RULES.md"]'],
    ],
  ])("%j become %j", (file, expected) => {
    put(TINY, file);
    expect(coming()).toEqual(expected);
    expect(staying()).toEqual([]);
  });

  it("add the commands that the person added, and ask about those that they removed", () => {
    const { change } = safeOf(["make", ...DEFAULTS.filter((text) => text !== "git branch")]) ?? {};
    expect(change).toMatchObject({ value: ["make", "!git branch"] });
    expect(safeOf(DEFAULTS)).toBeUndefined();
  });

  function safeOf(safe: readonly string[]) {
    put(TINY, { safe_command_prefixes: safe });
    return look().find(({ name }) => name === "safe_command_prefixes");
  }

  it.each([
    [{ ollama_api_key: "k-123" }, "harness auth set ollama"],
    [{ openai_compat_api_key: "k-123" }, "harness auth set openai"],
    [{ auto_accept_mode: "all" }, "harness asks"],
    [{ last_provider: "Sockudo", last_model: "x" }, "no provider"],
    [{ no_such: 1 }, "no such setting"],
    [{ context_limit: "many" }, "expected a whole number"],
    [{ ollama_timeout_secs: { a: 1 } }, "expected a whole number"],
    [{ project_md_files: "RULES", safe_command_prefixes: 7 }, "safe_command_prefixes cannot be 7"],
  ])("do not come, which is said: %j", (file, why) => {
    put(TINY, file);
    expect(coming()).not.toContain("model = x");
    expect(staying().join("\n")).toContain(why);
    expect(JSON.stringify(look())).not.toContain("k-123");
  });
});

describe("settings of the other programs", () => {
  it.each([
    [
      OPEN_ROUTER,
      {
        model: "anthropic/claude-sonnet-4",
        custom_instructions: "Be brief.",
        reasoning_effort: "off",
        reasoning_summary: "concise",
        conversation: "65a-1",
      },
      [
        "model = anthropic/claude-sonnet-4",
        "provider = openrouter",
        "custom_instructions = Be brief.",
        "effort = none",
        "reasoning_summary = concise",
      ],
    ],
    [OPEN_ROUTER, { reasoning_effort: "medium", reasoning_summary: "auto", custom_instructions: "" }, []],
    [
      HS,
      "# mine\nprovider=anthropic\nexport model = 'claude-sonnet-4-6'\nmodel=later\n",
      ["provider = anthropic", "model = claude-sonnet-4-6"],
    ],
    [
      LOCAL,
      {
        provider: "lmstudio",
        lmstudio_host: "http://box:1234",
        model: "qwen3-coder:30b",
        model_keep_alive: "2h",
        num_ctx: 32_000,
        num_predict: 4096,
        editor: ["code", "--wait"],
        scroll_lines: 5,
        enable_thinking: false,
        file_read_small_threshold: 400,
      },
      [
        "provider = lmstudio",
        "lmstudio_url = http://box:1234",
        "model = qwen3-coder:30b",
        "keep_alive = 2h",
        "context_limit = 32000",
        "max_output_tokens = 4096",
        "editor = code --wait",
        "wheel_rows = 5",
        "effort = none",
        "extract_files_above = 400",
      ],
    ],
    [
      LOCAL,
      {
        ollama_host: "http://localhost:11434",
        ollama_endpoint: "/api/chat",
        model_keep_alive: "15m",
        num_ctx: 128_000,
        num_predict: 8192,
        editor: ["nvim"],
        scroll_lines: 3,
        enable_thinking: true,
        show_tool_json: false,
        file_read_small_threshold: 200,
      },
      [],
    ],
    [
      QDRANT,
      {
        chat_model: "codestral",
        max_steps: 40,
        max_context_tokens: 30_000,
        stream: false,
        mcp_servers: [{ name: "fs", command: "npx", args: ["-y", "files"], env: { API_KEY: "k-123" } }],
      },
      [
        "model = codestral",
        "provider = ollama",
        "max_turns = 40",
        "context_limit = 30000",
        "stream_replies = false",
        'mcp_servers = ["fs: npx -y files"]',
      ],
    ],
    [QDRANT, { max_steps: 20, max_context_tokens: 28_000, stream: true, mcp_servers: [] }, []],
  ])("%s with %j", (name, file, expected) => {
    put(name, file);
    expect(coming()).toEqual(expected);
    expect(staying()).toEqual([]);
  });

  it("that mean nothing here are named with the reason", () => {
    put(LOCAL, { gpu_offload: "auto", color_code: "36", show_tool_json: true });
    put(QDRANT, { embed_model: "nomic-embed-text" });
    expect(staying()).toHaveLength(4);
  });
});

describe("of several places", () => {
  it("our own settings stay, and a model without its provider is none", () => {
    put(TINY, { last_provider: "Ollama", last_model: "qwen3", show_thinking: true });
    expect(coming({ model: "mine" })).toEqual(["show_thinking = true"]);
    expect(staying({ model: "mine" })).toEqual([
      "last_provider: you have set model here, which stays",
      "last_model: you have set model here, which stays",
    ]);
    expect(coming({ show_thinking: false })).toEqual(["provider = ollama", "model = qwen3"]);
  });

  it("the one that was changed last counts, with model and provider together", () => {
    put(TINY, { last_provider: "Ollama", last_model: "qwen3", show_thinking: true }, 1_000);
    const newer = put(HS, "model=claude-sonnet-4-6\nprovider=anthropic\n", 2_000);
    expect(coming()).toEqual(["model = claude-sonnet-4-6", "provider = anthropic", "show_thinking = true"]);
    expect(staying()).toContain(`last_model: ${newer} was changed later: its value counts`);
  });

  it("a place that is not there has nothing", () => expect(look()).toEqual([]));
});

describe("files that cannot be used", () => {
  it.each([
    ["broken JSON", () => put(TINY, '{"last_model": '), "not valid JSON"],
    ["no object", () => put(TINY, "[1, 2]"), "no object"],
    ["huge", () => put(TINY, `{"last_model":"${"x".repeat(2_000_000)}"}`), "Could not read it"],
    ["a folder", () => mkdirSync(join(home, TINY), { recursive: true }), "not a regular file"],
    ["a link out of the home", () => link("/etc/hostname"), "outside your home folder"],
    ["a link to a secret", () => link(put(".ssh/id_rsa", "secret")), "may hold secrets"],
  ])("are skipped, which is said: %s", (_, make, why) => {
    make();
    put(QDRANT, { max_steps: 40 });
    expect(coming()).toEqual(["max_turns = 40"]);
    expect(staying().join()).toContain(why);
  });

  function link(to: string): void {
    mkdirSync(dirname(join(home, TINY)), { recursive: true });
    symlinkSync(to, join(home, TINY));
  }

  it("a link inside the home is followed, as people keep such files in a repository", () => {
    const path = put("dotfiles/tiny.json", { show_thinking: true });
    link(path);
    expect(coming()).toEqual(["show_thinking = true"]);
  });

  it.skipIf(process.getuid?.() === 0)("one that may not be read", () => {
    chmodSync(put(TINY, {}), 0);
    expect(staying().join()).toContain("Could not read it");
  });

  it.each([TINY, OPEN_ROUTER, LOCAL, QDRANT, HS])("whatever they have, the folders stay as they are: %s", (name) => {
    const keys =
      `last_provider last_model last_provider_url provider_urls provider_models preferred_mode ollama_think_type
      safe_command_prefixes model editor num_ctx mcp_servers stream __proto__ constructor toString`.split(/\s+/);
    const values = [
      null,
      true,
      -1,
      1e300,
      "",
      "\u0000",
      "x".repeat(5_000),
      [],
      [[]],
      [null],
      [{ name: 7, args: "x" }],
      {},
      { Ollama: {} },
    ];
    for (const key of keys)
      for (const value of values) {
        put(name, `{${JSON.stringify(key)}:${JSON.stringify(value)}}`);
        const before = treeOf(home);
        for (const { becomes, why } of look())
          expect([becomes, why].filter((each) => each !== undefined)).toHaveLength(1);
        expect(treeOf(home)).toEqual(before);
      }
  });
});

function treeOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    entries.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), "latin1")]),
  );
}

const DEFAULTS: readonly string[] = [
  ..."cd ls grep glob find cat head tail wc pwd echo printf tree file stat du df free uptime whoami hostname".split(
    " ",
  ),
  ..."uname date cal ps env printenv which whereis type".split(" "),
  ..."status diff log show branch remote tag describe rev-parse".split(" ").map((word) => `git ${word}`),
  "cargo tree",
  "cargo metadata",
  "cargo doc",
  "rustc --version",
  "cargo --version",
];
