import { tmpdir } from "node:os";
import { EgressGuard, GitEnvironments, nodeClock } from "@harness/workspace";
import { expect, it } from "vitest";
import { HudPublisher } from "./hud-publisher.ts";

it("the preview has the modes that a new session would get, and says why it would have no model", async () => {
  const sentence = (provider = "none") => `There is no provider ${provider}.`;
  const hud = new HudPublisher(
    {
      choose: async (_cwd, { provider }) => ({ problem: "unknown_provider", sentence: sentence(provider), advice: [] }),
    },
    new EgressGuard({ clock: nodeClock, localOnly: () => true, lookup: undefined }),
    new GitEnvironments(),
    { version: "1", command: () => "", environment: () => ({}) },
  );
  const settings = { permission_mode: "deny", preferred_mode: "planning" } as const;
  const preview = (config = {}) => hud.preview(tmpdir(), settings, config);
  expect(await preview()).toMatchObject({
    problem: sentence(),
    localOnly: true,
    permissionMode: "deny",
    mode: "planning",
  });
  expect(await preview({ permissionMode: "allow-all", mode: "casual" })).toMatchObject({
    permissionMode: "allow-all",
    mode: "casual",
  });
  expect(await preview({ provider: "nosuch" })).toMatchObject({ problem: sentence("nosuch") });
});
