import { describe, expect, it } from "vitest";
import { screenOf } from "../../../test/painter.ts";
import { bareProviders } from "../../../test/provider-samples.ts";
import { ESCAPE, settled, type TestWindow, testWindow } from "../../../test/scripted-server.ts";
import { messageOf } from "../../state/composer.ts";
import type { ModelPicker } from "./state.ts";

const numbers = { permissionMode: "default", agentsRunning: 0, queued: 0 };
const none = { ...numbers, problem: "No model is set up yet." };
const DOWN = "\u001b[B";

/** A window whose server has no model until a test gives it one. */
async function withoutModel(prepare: (window: TestWindow) => void = () => undefined, prompt?: string) {
  const window = testWindow({ prompt });
  const { answers } = window.server;
  answers["hud/get"] = () => none;
  answers["providers/list"] = () => ({ providers: bareProviders, advice: ["No model is set up yet."] });
  answers["auth/set"] = () => ({ credential: { provider: "openrouter" }, problems: [] });
  prepare(window);
  window.controller.start();
  await settled();
  return window;
}

function giveModel({ server }: TestWindow, provider = "ollama", model = "qwen3"): void {
  server.answers["hud/get"] = () => ({ ...numbers, provider, model });
  server.answers["providers/list"] = () => ({ providers: bareProviders, selected: { provider, model } });
  server.answers["models/list"] = () => ({ models: [{ provider, model }], problems: [] });
}

async function typed(window: TestWindow, ...keys: string[]): Promise<void> {
  for (const each of keys) {
    window.send(each);
    await settled();
  }
}

const picker = ({ store }: TestWindow) => store.get().overlay as ModelPicker | undefined;
const sent = ({ server }: TestWindow) => server.paramsOf("session/prompt").map(({ prompt }) => prompt);
function screen({ store }: TestWindow): string {
  return screenOf({ store }).join("\n");
}

describe("without a model", () => {
  it("Home lists what can be done, and Enter does the marked thing", async () => {
    const window = await withoutModel();
    await typed(window, DOWN, DOWN, "\r");
    expect(picker(window)?.page).toMatchObject({ kind: "address" });
    await typed(window, ESCAPE, ESCAPE, "\r");
    expect(picker(window)?.page).toMatchObject({ kind: "address" });
  });

  it("a message stays in the input, and is sent once there is a model", async () => {
    const window = await withoutModel();
    await typed(window, "fix it", "\r");
    expect(sent(window)).toEqual([]);
    expect(messageOf(window.store.get().composer)).toBe("fix it");
    expect(screen(window)).toContain("Your message stays in the input");
    giveModel(window, "openrouter", "big");
    await typed(window, "\r", "\r", "sk-1", "\r");
    expect(window.server.paramsOf("auth/set")).toEqual([{ provider: "openrouter", key: "sk-1" }]);
    expect(window.store.get().overlay).toBeUndefined();
    expect(sent(window)).toEqual([[{ type: "text", text: "fix it" }]]);
    expect(messageOf(window.store.get().composer)).toBe("");
  });

  it("the message of the command line waits as well", async () => {
    const window = await withoutModel(undefined, "fix it");
    expect(sent(window)).toEqual([]);
    expect(messageOf(window.store.get().composer)).toBe("fix it");
    giveModel(window);
    await typed(window, ESCAPE);
    expect(window.store.get().notes.at(-1)?.text).toContain("Your message stays in the input");
    window.clock.advance(3_000);
    await settled();
    expect(sent(window)).toEqual([[{ type: "text", text: "fix it" }]]);
  });

  it("a message that was changed meanwhile is not sent by itself", async () => {
    const window = await withoutModel();
    await typed(window, "fix it", "\r", ESCAPE, " all");
    giveModel(window);
    window.clock.advance(3_000);
    await settled();
    expect(sent(window)).toEqual([]);
    expect(messageOf(window.store.get().composer)).toBe("fix it all");
    expect(window.store.get().held).toBeUndefined();
  });

  it("a server that comes up is noticed and said", async () => {
    const window = await withoutModel();
    window.clock.advance(3_000);
    await settled();
    expect(window.store.get().hud?.model).toBeUndefined();
    giveModel(window);
    window.clock.advance(3_000);
    await settled();
    expect(window.store.get().hud?.model).toBe("qwen3");
    expect(window.store.get().notes.at(-1)?.text).toContain("Found qwen3 from ollama");
    const calls = window.server.paramsOf("providers/list").length;
    window.clock.advance(60_000);
    await settled();
    expect(window.server.paramsOf("providers/list").length).toBe(calls);
  });

  it("the open list shows a server that has come up", async () => {
    const window = await withoutModel();
    await typed(window, "/model", "\r");
    expect(screen(window)).toContain("Or start Ollama or LM Studio: harness notices it.");
    giveModel(window);
    window.clock.advance(3_000);
    await settled();
    expect(screen(window)).toContain("› ollama/qwen3");
  });
});

describe("the pages of the list of models", () => {
  it("never draw a key, and say why it does not do", async () => {
    const window = await withoutModel(({ server }) => {
      server.answers["models/list"] = ({ provider }) => ({
        models: [],
        problems: provider ? ["Anthropic did not accept the API key (401)."] : [],
      });
    });
    await typed(window, "/model", "\r", "\r", DOWN, "\r", "sk-secret");
    expect(screen(window)).toContain("API key for Anthropic");
    expect(screen(window)).toContain("Key: •••••••••");
    expect(JSON.stringify(window.store.get().overlay)).not.toContain("secret");
    await typed(window, "\r");
    expect(window.server.paramsOf("auth/set")).toEqual([{ provider: "anthropic", key: "sk-secret" }]);
    expect(screen(window)).toContain("did not accept the API key");
  });

  it("take a key that was pasted into the list, and do not show it there", async () => {
    const window = await withoutModel(({ server }) => {
      server.answers["models/list"] = () => ({ models: [], problems: [] });
    });
    await typed(window, "/model", "\r");
    window.event({ type: "paste", text: "sk-or-v1-0123456789abcdef0123\n", cut: false });
    expect(screen(window)).toContain("Whose API key?");
    expect(JSON.stringify(window.store.get().overlay)).not.toContain("0123456789");
    giveModel(window, "openrouter", "big");
    await typed(window, "\r");
    expect(screen(window)).toContain("Key: ••••");
    await typed(window, "\r");
    const key = "sk-or-v1-0123456789abcdef0123";
    expect(window.server.paramsOf("auth/set")).toEqual([{ provider: "openrouter", key }]);
    expect(window.store.get().overlay).toBeUndefined();
  });

  it("filter by what else is pasted", async () => {
    const window = await withoutModel((each) => giveModel(each));
    await typed(window, "/model", "\r");
    window.event({ type: "paste", text: "qwen3-coder-480b", cut: false });
    expect(picker(window)?.filter).toBe("qwen3-coder-480b");
  });

  it("look what answers at an address, keep it, and use its only model", async () => {
    const address = "http://box:8080/v1";
    const server = { provider: "llamacpp", name: "llama.cpp", address, setting: "llamacpp_url", models: ["qwen3"] };
    const window = await withoutModel((each) => {
      each.server.answers["providers/find"] = ({ address: asked }) =>
        asked === "box:8080" ? { server } : { problem: "The server at http://bx:8080/v1 cannot be found." };
    });
    await typed(window, "/model", "\r", DOWN, DOWN, "\r", "bx:8080", "\r");
    expect(screen(window)).toContain("cannot be found");
    await typed(window, "\u0015", "box:8080", "\r");
    expect(window.server.paramsOf("settings/set")).toEqual([
      { edits: [{ key: "llamacpp_url", value: address }] },
      {
        edits: [
          { key: "model", value: "qwen3" },
          { key: "provider", value: "llamacpp" },
        ],
      },
    ]);
    expect(window.store.get().overlay).toBeUndefined();
  });

  it("let the person choose of several models of a server", async () => {
    const server = {
      provider: "vllm",
      name: "vLLM",
      address: "http://box/v1",
      setting: "vllm_url",
      models: ["a", "b"],
    };
    const models = ["a", "b"].map((model) => ({ provider: "vllm", model }));
    const window = await withoutModel((each) => {
      each.server.answers["providers/find"] = () => ({ server });
      each.server.answers["models/list"] = () => ({ models, problems: [] });
    });
    await typed(window, "fix it", "\r", "\u001b[F", "\u001b[A", "\r", "box", "\r");
    expect(picker(window)).toMatchObject({ filter: "vllm/", page: undefined });
    expect(screen(window)).toContain("Choose a model. Your message is sent to it.");
    await typed(window, DOWN, "\r");
    expect(window.server.paramsOf("settings/set").at(-1)).toMatchObject({ edits: [{ value: "b" }, { value: "vllm" }] });
  });

  it("ask for the key of a server that wants one", async () => {
    const server = { provider: "openai", name: "OpenAI-compatible server", address: "http://box/v1", models: [] };
    const window = await withoutModel((each) => {
      each.server.answers["providers/find"] = () => ({
        server: { ...server, setting: "openai_base_url", wantsKey: true },
      });
    });
    await typed(window, "/model", "\r", DOWN, DOWN, "\r", "box", "\r");
    expect(picker(window)?.page).toMatchObject({ kind: "key", provider: "openai" });
    expect(screen(window)).toContain("API key for OpenAI-compatible server at http://box/v1");
  });

  it("install what a model file needs after a word about it", async () => {
    const window = await withoutModel((each) => {
      each.server.answers["models/add"] = ({ install }) => ({
        model: { provider: "gguf", model: "m" },
        installed: install,
      });
    });
    await typed(window, "/model", "\r", "\u001b[F", "\r", "./m.gguf", "\r");
    expect(screen(window)).toContain("Enter install");
    await typed(window, "\r");
    expect(window.server.paramsOf("models/add").map(({ install }) => install)).toEqual([false, true]);
    expect(window.server.paramsOf("settings/set").at(-1)).toMatchObject({ edits: [{ value: "m" }, { value: "gguf" }] });
  });

  it("log in with the browser, and stop waiting for it at Escape", async () => {
    const window = await withoutModel((each) => {
      const login = { url: "https://login.example/x", redirect: "http://127.0.0.1:1", paste: "paste the address here" };
      each.server.answers["auth/login"] = () => ({ loginId: "l1", ...login });
    });
    await typed(window, "/model", "\r", DOWN, "\r");
    expect(screen(window)).toContain("https://login.example/x");
    await typed(window, ESCAPE);
    expect(window.server.paramsOf("auth/cancel")).toEqual([{ loginId: "l1" }]);
    await typed(window, "\r");
    giveModel(window, "chatgpt", "gpt");
    window.server.listeners?.notices["auth/login_update"]?.({
      loginId: "l1",
      provider: "chatgpt",
      credential: { provider: "chatgpt", name: "ChatGPT", kind: "login", masked: "…", source: "file", from: "" },
    });
    await settled();
    expect(window.store.get().overlay).toBeUndefined();
    expect(window.server.paramsOf("settings/set").at(-1)).toMatchObject({
      edits: [{ value: "gpt" }, { value: "chatgpt" }],
    });
  });
});
