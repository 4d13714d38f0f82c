import { expect, it } from "vitest";
import { screenOf } from "../../../test/painter.ts";
import { bareProviders } from "../../../test/provider-samples.ts";
import { ESCAPE, settled, type TestWindow, testWindow } from "../../../test/scripted-server.ts";
import type { ModelPicker } from "./state.ts";

const numbers = { permissionMode: "default", agentsRunning: 0, queued: 0 };
const detail = "Answers at :1, but has no model.";
const providers = bareProviders.map((each) =>
  each.id === "ollama" ? { ...each, running: true, pulls: true, detail } : each,
);

/** A window next to a running Ollama that has these models, or none. The download continues until a test ends it. */
async function besideOllama(...installed: string[]) {
  const window = testWindow({});
  const { answers } = window.server;
  const problem = "No model is set up yet.";
  answers["hud/get"] = ({ config }) => {
    const named = (config as { model?: string } | undefined)?.model;
    if (named === undefined) return { ...numbers, problem };
    return { ...numbers, problem: `Ollama has no model "${named}".`, missing: { provider: "ollama", model: named } };
  };
  answers["providers/list"] = () => ({ providers, advice: [problem] });
  answers["models/list"] = () => ({ models: installed.map((model) => ({ provider: "ollama", model })), problems: [] });
  const download = Promise.withResolvers<{ model: string }>();
  let signal: AbortSignal | undefined;
  answers["models/pull"] = (_params, _server, given) => {
    signal = given;
    return download.promise;
  };
  window.controller.start();
  await settled();
  return { window, download, signal: () => signal };
}

async function typed(window: TestWindow, ...keys: string[]): Promise<void> {
  for (const each of keys) {
    window.send(each);
    await settled();
  }
}

const picker = ({ store }: TestWindow) => store.get().overlay as ModelPicker | undefined;
function screen({ store }: TestWindow): string {
  return screenOf({ store }).join("\n");
}
function progress(window: TestWindow, completed: number): void {
  const update = { provider: "ollama", model: "coder", status: "pulling 0001", completed, total: 4_700_000_000 };
  window.server.listeners?.notices["models/pull_update"]?.(update);
}

it("a running Ollama offers to download a model, shows how far it is, and the model is used", async () => {
  const { window, download } = await besideOllama();
  await typed(window, "/model", "\r");
  expect(screen(window)).toContain("› Pull with Ollama");
  await typed(window, "\r", "coder", "\r");
  expect(window.server.paramsOf("models/pull")).toEqual([{ provider: "ollama", model: "coder" }]);
  progress(window, 2_115_000_000);
  await settled();
  expect(screen(window)).toContain("Downloading: 45% of 4.7 GB");
  expect(screen(window)).toContain("Esc stop");
  download.resolve({ model: "coder:latest" });
  await settled();
  expect(picker(window)).toBeUndefined();
  expect(window.server.paramsOf("settings/set").at(-1)).toMatchObject({
    edits: [{ value: "coder:latest" }, { value: "ollama" }],
  });
});

it("says what the server said, and lets another name be typed", async () => {
  const { window, download } = await besideOllama();
  await typed(window, "/model", "\r", "\r", "coder", "\r");
  progress(window, 1);
  download.reject(new Error('Ollama could not pull "coder": file does not exist'));
  await settled();
  expect(screen(window)).toContain('Ollama could not pull "coder": file does not exist');
  expect(screen(window)).not.toContain("Downloading");
  await typed(window, "2");
  expect(picker(window)?.page).toMatchObject({ kind: "pull", busy: false, field: { text: "coder2" } });
});

it("stops the download at Escape, and uses nothing", async () => {
  const { window, download, signal } = await besideOllama();
  await typed(window, "/model", "\r", "\r", "coder", "\r", ESCAPE);
  expect(signal()?.aborted).toBe(true);
  expect(screen(window)).toContain("Pull with Ollama");
  download.reject(new Error("The request was cancelled."));
  await settled();
  expect(screen(window)).not.toContain("cancelled");
  expect(window.server.paramsOf("settings/set")).toEqual([]);
});

it("takes the name that was typed into the list and that no model has", async () => {
  const { window } = await besideOllama("tiny:1b");
  await typed(window, "/model", "\r", "coder", "\r");
  expect(picker(window)?.page).toMatchObject({ kind: "pull", provider: "ollama", field: { text: "coder" } });
});

it("/model with a name that the running Ollama lacks offers to download it", async () => {
  const { window } = await besideOllama("tiny:1b");
  await typed(window, "/model nosuch\r");
  expect(screen(window)).toContain('Ollama has no model "nosuch".');
  expect(screen(window)).toContain("Model: nosuch");
  await typed(window, "\r");
  expect(window.server.paramsOf("models/pull")).toEqual([{ provider: "ollama", model: "nosuch" }]);
});
