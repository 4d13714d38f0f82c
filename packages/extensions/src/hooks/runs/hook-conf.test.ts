import { describe, expect, it } from "vitest";
import { parseHookConf, readHookConf } from "./hook-conf.ts";

describe("the file beside a hook", () => {
  it("the file beside a hook gives it time and variables by name", () => {
    expect(parseHookConf("# mine\n timeout = 2.5 \r\npass_env=A_KEY, B\npass_env=C\n\n", "x.conf")).toEqual({
      timeoutMs: 2_500,
      passEnv: ["A_KEY", "B", "C"],
      problems: [],
    });
  });

  it.each([
    ["timeout=soon", "x.conf, line 1: timeout must be a number of seconds, up to 3600."],
    ["timeout=0", "x.conf, line 1: timeout must be a number of seconds, up to 3600."],
    ["timeout=99999", "x.conf, line 1: timeout must be a number of seconds, up to 3600."],
    ["pass_env=A-B", 'x.conf, line 1: "A-B" is not a valid variable name.'],
    ["retries=3", "x.conf, line 1: write timeout=SECONDS or pass_env=NAME,NAME."],
    ["hello", "x.conf, line 1: write timeout=SECONDS or pass_env=NAME,NAME."],
  ])("errors in the file beside a hook are reported, and the default holds: %s", (text, problem) => {
    expect(parseHookConf(text, "x.conf")).toEqual({ timeoutMs: 30_000, passEnv: [], problems: [problem] });
  });

  it("the file beside a hook may be missing, or unreadable with a sentence", () => {
    expect(readHookConf(undefined)).toEqual({ timeoutMs: 30_000, passEnv: [], problems: [] });
    expect(readHookConf("/no/such.conf").problems).toEqual([expect.stringContaining("/no/such.conf cannot be read")]);
  });
});
