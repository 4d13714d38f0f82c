import { describe, expect, it } from "vitest";
import { leftOutNote } from "./left-out-note.ts";

const ours = {
  JAVA_HOME: "/java",
  GITHUB_TOKEN: "t",
  SSH_AUTH_SOCK: "/run/agent",
  DEPLOY_TARGET: "x",
  HOME: "/h",
  PATH: "/w/node_modules/.bin:/usr/bin:/w/.venv/bin",
};
const env = { HOME: "/h", PATH: "/usr/bin" };
const note = (text: string, exitCode = 1, given = new Set<string>()) =>
  leftOutNote({ text, end: { exitCode }, env, ours, cwd: "/w", notesGiven: given });

const plain = (names: string, are = "is") =>
  `[${names} ${are} set outside, but ${are} not passed on to commands; the person can do so with the setting pass_env]`;

describe("a failed command whose environment was reduced", () => {
  it.each<[string, string | undefined]>([
    ["error: JAVA_HOME is not set", plain("JAVA_HOME")],
    ["set JAVA_HOME and DEPLOY_TARGET", plain("JAVA_HOME, DEPLOY_TARGET", "are")],
    ["git@github.com: Permission denied (publickey).", plain("SSH_AUTH_SOCK")],
    ["Could not open a connection to your authentication agent.", plain("SSH_AUTH_SOCK")],
    [
      "gh: set the GITHUB_TOKEN environment variable",
      "[GITHUB_TOKEN looks like a secret, so commands do not get it; ask the person to run this, or to log the program in]",
    ],
    ["FAILED: MAX_VALUE differs", undefined],
    ["no variable at all", undefined],
  ])("says so: %s", (text, expected) => {
    expect(note(text)).toBe(expected);
  });

  it("names folders where programs are not looked for when one was not found", () => {
    expect(note("sh: eslint: not found", 127)).toBe(
      "[programs in folders of the workspace are not found by name: call them by their path, e.g. in node_modules/.bin, .venv/bin]",
    );
  });

  it("says each once, and nothing where it ended well", () => {
    const given = new Set<string>();
    expect(note("JAVA_HOME", 1, given)).toBeDefined();
    expect(note("JAVA_HOME", 1, given)).toBeUndefined();
    expect(note("JAVA_HOME is used", 0)).toBeUndefined();
  });
});
