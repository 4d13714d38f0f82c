import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { policiesLeft } from "./read-policies.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "policies-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function look(content: unknown) {
  const path = join(home, "policies.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return policiesLeft(path, home);
}
const policy = (scope: string, mode: string, path_patterns: unknown = [], deny_patterns: unknown = []) => [
  { scope, mode, path_patterns, deny_patterns },
];

describe("policies of Local Harness", () => {
  it.each([
    [
      policy("read_files", "deny", ["secret/**", "*.pem", "./notes.txt"]),
      ["deny read(secret/**)", "deny read(**/*.pem)", "deny read(notes.txt)"],
    ],
    [policy("write_files", "deny", ["*"]), ["deny write(**)", "deny edit(**)"]],
    [policy("write_files", "ask_each_time", ["src/**"]), ["ask write(src/**)", "ask edit(src/**)"]],
    [policy("execute_commands", "deny", ["*"]), ["deny bash"]],
    [policy("network_access", "ask_each_time", ["*"]), ["ask web_fetch", "ask web_search"]],
    // A path excluded by an allowing policy is denied, as the user meant it.
    [policy("read_files", "always_allow", ["*"], ["*.key"]), ["deny read(**/*.key)"]],
    [{ policies: [{ tool_name: "write_file", decision: "deny", created_at: 1 }] }, ["deny write", "deny edit"]],
    [{ policies: [{ tool_name: "git_push", decision: "ask" }] }, ["ask bash(git push)"]],
    [{ policies: policy("read_files", "deny", ["a"]) }, ["deny read(a)"]],
  ])("%j becomes %j", (content, expected) => {
    expect(look(content).flatMap(({ becomes }) => becomes ?? [])).toEqual(expected);
  });

  it.each([
    [policy("read_files", "always_allow", ["*"]), "without asking"],
    [policy("write_files", "always_allow", ["*"]), "allow more"],
    [policy("execute_commands", "always_allow", ["*"]), "allow more"],
    [{ policies: [{ tool_name: "write_file", decision: "always_allow" }] }, "allow more"],
    [{ policies: [{ tool_name: "list_todos", decision: "deny" }] }, "no permission"],
    [policy("todo_management", "deny", ["*"]), "no permission"],
    [policy("write_files", "allow_once", ["*"]), "one call"],
    [policy("read_files", "deny"), "no patterns"],
    [policy("execute_commands", "deny", ["src/**"]), "about no files"],
    [policy("read_files", "deny", ["/etc/**"]), "no pattern below a project"],
    [policy("read_files", "deny", ["../x"]), "no pattern below a project"],
    [policy("read_files", "maybe", ["*"]), "what it decides"],
    [policy("constructor", "deny", ["*"]), "no permission"],
    [[null], "what it decides"],
    [[[7]], "what it decides"],
    [{ rules: [] }, "no list"],
    ["[", "not valid JSON"],
    ["7", "no list"],
  ])("%j does not come, or what it allows does not", (content, why) => {
    const items = look(content);
    expect(items.map((item) => item.why ?? "").join()).toContain(why);
    expect(items.map((item) => item.becomes ?? "").join()).not.toContain("allow");
  });

  it("are read up to a limit", () => {
    const items = look(Array.from({ length: 600 }, () => policy("read_files", "deny", ["a"])[0]));
    expect(items).toHaveLength(501);
    expect(items.at(-1)).toMatchObject({ name: "100 more" });
  });
});
