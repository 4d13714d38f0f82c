import { expect, it } from "vitest";
import { screenOf } from "../../../test/painter.ts";
import { bareProviders } from "../../../test/provider-samples.ts";
import { ESCAPE, settled, type TestWindow, testWindow } from "../../../test/scripted-server.ts";
import type { ModelPicker } from "./state.ts";

const models = [
  { provider: "lmstudio", model: "small", loaded: true, windowTokens: 8_192 },
  { provider: "lmstudio", model: "coder", loaded: false, loads: true },
];

/** A window next to a running LM Studio. The loading continues until a test ends it. */
async function besideLmStudio() {
  const window = testWindow({});
  const { answers } = window.server;
  answers["providers/list"] = () => ({ providers: bareProviders });
  answers["models/list"] = () => ({ models, problems: [] });
  const loads: PromiseWithResolvers<object>[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  answers["models/load"] = (_params, _server, signal) => {
    const load = Promise.withResolvers<object>();
    loads.push(load);
    signals.push(signal);
    return load.promise;
  };
  window.controller.start();
  await settled();
  return { window, loads, signals };
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
const chosen = ({ server }: TestWindow) => server.paramsOf("settings/set").at(-1)?.edits;

it("a model that is not in memory is marked, loaded with a visible wait, and used", async () => {
  const { window, loads } = await besideLmStudio();
  await typed(window, "/model", "\r");
  expect(screen(window)).toMatch(/lmstudio\/coder {2}.*not loaded/);
  await typed(window, "coder", "\r");
  expect(window.server.paramsOf("models/load")).toEqual([{ provider: "lmstudio", model: "coder" }]);
  expect(screen(window)).toContain("LM Studio loads coder");
  window.clock.advance(12_000);
  expect(screen(window)).toContain("Loading… · 12 s");
  expect(screen(window)).toContain("Esc stop waiting");
  loads[0]?.resolve({ windowTokens: 16_384 });
  await settled();
  expect(picker(window)).toBeUndefined();
  expect(chosen(window)).toMatchObject([{ value: "coder" }, { value: "lmstudio" }]);
});

it("one that is in memory is used at once", async () => {
  const { window } = await besideLmStudio();
  await typed(window, "/model", "\r", "small", "\r");
  expect(window.server.paramsOf("models/load")).toEqual([]);
  expect(chosen(window)).toMatchObject([{ value: "small" }, { value: "lmstudio" }]);
});

it("the wait ends at Escape, and nothing is used", async () => {
  const { window, loads, signals } = await besideLmStudio();
  await typed(window, "/model", "\r", "coder", "\r", ESCAPE);
  expect(signals[0]?.aborted).toBe(true);
  expect(screen(window)).toContain("lmstudio/coder");
  loads[0]?.reject(new Error("The request was cancelled."));
  await settled();
  expect(screen(window)).not.toContain("cancelled");
  window.clock.advance(5_000);
  expect(picker(window)?.page).toBeUndefined();
  expect(chosen(window)).toBeUndefined();
});

it("says why it could not be loaded, and tries again at Enter", async () => {
  const { window, loads } = await besideLmStudio();
  await typed(window, "/model coder\r");
  loads[0]?.reject(new Error('LM Studio could not load "coder". It says: "no memory"'));
  await settled();
  expect(screen(window)).toContain('It says: "no memory"');
  expect(screen(window)).toContain("Enter try again");
  expect(screen(window)).not.toContain("Loading…");
  await typed(window, "x", "\r");
  expect(window.server.paramsOf("models/load")).toHaveLength(2);
  loads[1]?.resolve({});
  await settled();
  expect(chosen(window)).toMatchObject([{ value: "coder" }, { value: "lmstudio" }]);
});
