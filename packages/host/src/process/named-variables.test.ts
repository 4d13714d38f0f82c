import { describe, expect, it } from "vitest";
import { namedVariables } from "./named-variables.ts";

const env = {
  SSH_AUTH_SOCK: "/run/agent.sock",
  GITHUB_TOKEN: "t",
  AWS_PROFILE: "dev",
  AWS_REGION: "eu",
  AWS_SECRET_ACCESS_KEY: "s",
  JAVA_HOME: "/java",
  JAVA_HOME_21: "/java21",
  PROXY: "http://u:secret@proxy:1",
  GONE: undefined,
};
const named = (setting: string, places = true) => namedVariables(setting, env, { places });

describe("variables that a setting names", () => {
  it.each<[string, string[], string[], string[]]>([
    ["JAVA_HOME", ["JAVA_HOME"], [], []],
    ["JAVA_HOME,AWS_REGION JAVA_HOME", ["JAVA_HOME", "AWS_REGION"], [], []],
    ["AWS_*", ["AWS_PROFILE", "AWS_REGION"], ["AWS_SECRET_ACCESS_KEY"], []],
    ["*_HOME*", ["JAVA_HOME", "JAVA_HOME_21"], [], []],
    ["J*A*_HOME", ["JAVA_HOME"], [], []],
    ["*_HOME_HOME", [], [], ["*_HOME_HOME"]],
    ["GITHUB_TOKEN, PROXY", [], ["GITHUB_TOKEN", "PROXY"], []],
    ["GONE, AZURE_*, java_home", [], [], ["GONE", "AZURE_*", "java_home"]],
    ["SSH_AUTH_SOCK", ["SSH_AUTH_SOCK"], [], []],
    ["SSH_*", [], ["SSH_AUTH_SOCK"], []],
    ["", [], [], []],
  ])("%j", (setting, passed, refused, unmatched) => {
    expect(named(setting)).toEqual({
      passed: Object.fromEntries(passed.map((name) => [name, env[name as keyof typeof env]])),
      refused,
      unmatched,
    });
  });

  it("let an agent in only where that is allowed, and only its place", () => {
    expect(named("SSH_AUTH_SOCK", false).refused).toEqual(["SSH_AUTH_SOCK"]);
    const odd = { SSH_AUTH_SOCK: "sk-proj-0123456789abcdefghij" };
    expect(namedVariables("SSH_AUTH_SOCK", odd, { places: true }).refused).toEqual(["SSH_AUTH_SOCK"]);
  });

  it("are matched in linear time", () => {
    const long = { [`${"A".repeat(50_000)}B`]: "x" };
    expect(namedVariables("*A*A*A*A*A*A*A*A*C", long, { places: true }).unmatched).toHaveLength(1);
  });
});
