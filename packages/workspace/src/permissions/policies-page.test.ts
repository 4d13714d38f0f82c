import { readFileSync } from "node:fs";
import { join } from "node:path";
import { coreToolNames } from "@harness/core";
import { policyText, readPolicyFile } from "@harness/gate";
import { builtinTools } from "@harness/tools";
import { expect, it } from "vitest";

it("the example in docs/policies.md is a valid file", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../../docs/policies.md"), "utf8");
  const example = /```json\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
  const tools = [...builtinTools({ toolTimeoutMs: 1_000 }).tools, ...coreToolNames.map((name) => ({ name }))];
  const { rules, problems, everythingAsks } = readPolicyFile(example, tools);
  expect({ problems, everythingAsks }).toEqual({ problems: [], everythingAsks: false });
  expect(rules.map(policyText)).toEqual([
    "bash(npm test)",
    "bash(git push)",
    "write(deploy/**)",
    "web_fetch(docs.example.com)",
    "mcp(github/get_*)",
  ]);
});
