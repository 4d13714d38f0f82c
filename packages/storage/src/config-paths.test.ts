import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makePrivateFolder } from "@harness/host";
import { expect, it } from "vitest";
import { configPathsOf } from "./config-paths.ts";

const table: [Record<string, string | undefined>, string][] = [
  [{}, "/home/me/.config/harness"],
  [{ XDG_CONFIG_HOME: "/xdg" }, "/xdg/harness"],
  [{ XDG_CONFIG_HOME: "" }, "/home/me/.config/harness"],
  [{ XDG_CONFIG_HOME: "relative" }, "/home/me/.config/harness"],
  [{ HARNESS_HOME: "/own", XDG_CONFIG_HOME: "/xdg" }, "/own"],
  [{ HARNESS_HOME: "", XDG_CONFIG_HOME: "/xdg" }, "/xdg/harness"],
  [{ HARNESS_HOME: "~/own" }, "/home/me/own"],
  [{ HARNESS_HOME: "~" }, "/home/me"],
  [{ HARNESS_HOME: "/own/../other/" }, "/other"],
  [{ HARNESS_HOME: "own" }, join(process.cwd(), "own")],
];

it.each(table)("the environment %j puts all config paths below %s", (env, root) => {
  expect(configPathsOf(env, "/home/me")).toMatchObject({
    root,
    settings: `${root}/settings.json`,
    conversations: `${root}/conversations`,
    logs: `${root}/logs`,
  });
});

it("config folders are created on demand, for this user only", () => {
  const base = mkdtempSync(join(tmpdir(), "places-"));
  const { root, logs } = configPathsOf({ HARNESS_HOME: join(base, "deep", "down") }, "/home/me");
  expect(existsSync(root)).toBe(false);
  makePrivateFolder(logs);
  makePrivateFolder(logs);
  for (const path of [join(base, "deep"), root, logs]) expect(statSync(path).mode & 0o777).toBe(0o700);
  rmSync(base, { recursive: true });
});

it.each([
  [{}, "/h/.harness", "/h/.config/harness"],
  [{ HARNESS_HOME: "/x" }, "/x", "/x"],
  [{ HARNESS_HOME: "~/y" }, "/h/y", "/h/y"],
  [{ HARNESS_HOME: "/h/.harness", HARNESS_CONFIG_HOME: "/h/.config/harness" }, "/h/.harness", "/h/.config/harness"],
])("give programs of extensions their HARNESS_HOME, and a harness in them keeps its own: %j", (env, home, root) => {
  expect(configPathsOf(env, "/h")).toMatchObject({ programHome: home, root });
});
