import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { realPathNow } from "../files/judged-path.ts";
import { OwnProcess } from "../process/own-process.ts";
import { callMark, startOf } from "../process/process-mark.ts";
import { childEnvironment } from "./child-environment.ts";
import { noEditor } from "./no-editor.ts";

it("the child environment has a short list of variables and the user's, without secrets or relative folders in PATH", () => {
  const ours = {
    PATH: "/usr/bin::.:node_modules/.bin:/bin",
    HOME: "/home/u",
    LC_ALL: "C",
    OPENAI_API_KEY: "x",
    BASH_ENV: "/evil",
    LD_PRELOAD: "/evil.so",
    TERM: "xterm",
    PAGER: "less",
    EMPTY: undefined,
  };
  const start = startOf(process.pid);
  expect(
    childEnvironment(ours, { GOPATH: "/go", GITHUB_TOKEN: "t", db_password: "p" }, callMark("id-1", new OwnProcess())),
  ).toEqual({
    PATH: "/usr/bin:/bin",
    HOME: "/home/u",
    LC_ALL: "C",
    GOPATH: "/go",
    HARNESS: "1",
    HARNESS_CALL_ID: "id-1",
    HARNESS_PID: String(process.pid),
    ...(start ? { HARNESS_PID_START: start } : {}),
    TERM: "dumb",
    PAGER: "cat",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    ...noEditor,
  });
  expect(childEnvironment({}, {}, {}).PATH).toBe("/usr/local/bin:/usr/bin:/bin");
});

it.each([
  ["an address with a password", "http://u:pass@proxy:3128"],
  ["a key", "sk-proj-0123456789abcdefghij"],
  ["a token of GitHub", "ghp_0123456789abcdefghij"],
  ["a key of Groq", "gsk_a1B2c3D4e5F6g7H8i9J0"],
  ["a key of xAI", "xai-a1B2c3D4e5F6g7H8i9J0"],
  ["an access key", "AKIAABCDEFGHIJKLMNOP"],
  ["a web token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx.c2ln"],
  ["a private key", "-----BEGIN OPENSSH PRIVATE KEY-----\nx"],
  ["a header", "Bearer 0123456789abcdef"],
])("the child environment omits a value that is %s, whatever its name", (_what, value) => {
  expect(childEnvironment({ LC_X: value }, { MINE: value, PLAIN: "http://proxy:3128" }, {})).not.toHaveProperty("MINE");
  expect(childEnvironment({ LC_X: value }, { PLAIN: "http://proxy:3128" }, {})).toMatchObject({
    PLAIN: "http://proxy:3128",
  });
  expect(childEnvironment({ LC_X: value }, {}, {})).not.toHaveProperty("LC_X");
});

it("the child environment finds no programs in the workspace, by name or behind a link", () => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "harness-path-")));
  mkdirSync(join(top, "w/bin"), { recursive: true });
  symlinkSync(join(top, "w/bin"), join(top, "link"));
  const path = ["/usr/bin", `${top}/w/bin`, `${top}/link`, `${top}/w`, `${top}/w/missing`, `${top}/wider`, "/bin"].join(
    ":",
  );
  const env = childEnvironment({ PATH: path }, {}, {}, { roots: [join(top, "w")], real: realPathNow });
  expect(env.PATH).toBe(`/usr/bin:${top}/wider:/bin`);
  expect(childEnvironment({}, { PATH: `${top}/w/bin` }, {}, { roots: [join(top, "w")], real: realPathNow }).PATH).toBe(
    "/usr/local/bin:/usr/bin:/bin",
  );
  rmSync(top, { recursive: true });
});

it("the child environment omits secrets with names of locale variables", () => {
  const env = childEnvironment({ LC_TOKEN: "x", LC_ALL: "C", LC_a_b: "x" }, {}, {});
  expect(env).toMatchObject({ LC_ALL: "C" });
  expect(Object.keys(env).filter((name) => /^LC_(TOKEN|a_b)/.test(name))).toEqual([]);
});
