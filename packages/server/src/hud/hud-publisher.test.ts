import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bootstrap, openModels, openWorkspaces, SessionSandboxes, type SpendRecorder } from "@harness/workspace";
import { afterAll, expect, it } from "vitest";
import { HudPublisher } from "./hud-publisher.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "hud-")));
afterAll(() => rmSync(home, { recursive: true, force: true }));

it("the preview has the modes that a new session would get, and says why it would have no model", async () => {
  const env = { HOME: home, HARNESS_HOME: join(home, "config") };
  const base = bootstrap({ cwd: home, env });
  const settings = { provider: "nosuch", permission_mode: "deny", preferred_mode: "planning", local_only: true };
  mkdirSync(base.configPaths.root, { recursive: true });
  writeFileSync(base.configPaths.settings, JSON.stringify(settings));
  const events = {
    onRules: () => undefined,
    onTrusted: () => undefined,
    onMcp: () => undefined,
    onIndexing: () => undefined,
  };
  const { workspaces } = openWorkspaces(base, {
    version: "1",
    credentials: () => credentials,
    embedders: () => embedders,
    rerankers: () => rerankers,
    events,
  });
  const { models, embedders, rerankers, credentials } = openModels(base, {
    version: "1",
    own: () => workspaces.own,
    spend: {} as SpendRecorder,
    onLoginEnd: () => undefined,
    onWaiting: () => undefined,
  });
  const sandboxes = new SessionSandboxes({ configFolder: base.configPaths.root, home, env });
  const hud = new HudPublisher({ models, sandboxes, version: "1" });
  const preview = (config = {}) => hud.preview(workspaces.own, config);
  expect(await preview()).toMatchObject({
    problem: expect.stringMatching(/^There is no provider "nosuch" \(from/),
    localOnly: true,
    permissionMode: "deny",
    mode: "planning",
  });
  expect(await preview({ permissionMode: "allow-all", mode: "casual" })).toMatchObject({
    permissionMode: "allow-all",
    mode: "casual",
  });
  expect(await preview({ provider: "openai" })).toMatchObject({
    problem: expect.stringContaining("OpenAI"),
  });
});
