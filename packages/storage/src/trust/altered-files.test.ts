import { expect, it } from "vitest";
import { alteredReach } from "./altered-files.ts";
import type { TrustFile } from "./trust-files.ts";

const texts: Record<string, string> = {
  ".harness/tools/shadow": "#!/bin/sh\necho hi",
  ".harness/tools/greet": "#!/bin/sh\necho greet; echo shadow",
  ".harness/tools/caller": '#!/bin/sh\nexec "$(dirname "$0")/shadow"',
  ".harness/tools/far": "#!/bin/sh\n. ../tools/caller",
  ".harness/tools/user.py": "import helper\nhelper.go()",
  ".harness/tools/helper.py": "def go(): pass",
  ".harness/tools/sources": '#!/bin/sh\n. "$HOME/x/lib/common.sh"',
  ".harness/lib/common.sh": "one=1",
  ".harness/lib/lonely.sh": "two=2",
  ".harness/commands/deploy": "#!/bin/sh\necho deploying",
  ".harness/commands/review.md": "Look at /shadow.",
  ".harness/hooks.d/tool_exec/05-approve": "#!/bin/sh\ncase $call in *shadow*) exit 1 ;; esac",
  ".harness/skills/one/SKILL.md": "Run scripts/a.sh",
  ".harness/skills/one/scripts/a.sh": "echo a",
  ".harness/skills/two/SKILL.md": "Two",
  ".harness/plugins/p/tools/t": "#!/bin/sh\necho t",
  ".harness/plugins/p/notes/n.txt": "n",
  ".harness/settings.json": "{}",
  ".env": "GROQ_API_KEY=x",
  ".claude/settings.json": '{"hooks":{"PreToolUse":[{"hooks":[{"command":"./scripts/guard.sh"}]}]}}',
  ".claude/hooks/other.sh": "echo other",
  "scripts/guard.sh": "exit 2",
  "package.json": '{"x":"y"}',
};
const judging = [".harness/hooks.d/tool_exec/05-approve", ".claude/settings.json", "scripts/guard.sh"];
const file = (path: string): TrustFile => ({
  folder: "",
  path,
  sha256: path,
  ...(judging.includes(path) && { judges: true }),
});
const all = Object.keys(texts).map(file);

function reach(...altered: string[]) {
  const { off, judges } = alteredReach(
    { files: all, before: all, altered: altered.map(file) },
    ({ path }) => texts[path],
  );
  return { off: [...off].sort(), judges: judges.map(({ path }) => path) };
}

it.each<[string, string, string[]]>([
  ["a tool that nobody runs: it alone", ".harness/tools/greet", []],
  ["a command: it alone", ".harness/commands/deploy", []],
  ["words for the model: they alone", ".harness/commands/review.md", []],
  ["settings: they alone", ".harness/settings.json", []],
  ["keys: they alone", ".env", []],
  [
    "a tool that another runs: both, and its callers; not a file that only mentions it",
    ".harness/tools/shadow",
    [".harness/tools/caller", ".harness/tools/far"],
  ],
  ["a module", ".harness/tools/helper.py", [".harness/tools/user.py"]],
  ["a library", ".harness/lib/common.sh", [".harness/tools/sources"]],
  ["a file of a skill: the whole skill", ".harness/skills/one/scripts/a.sh", [".harness/skills/one/SKILL.md"]],
  ["a skill: no other", ".harness/skills/two/SKILL.md", []],
  [
    "a file that nobody names: everything of its plugin",
    ".harness/plugins/p/notes/n.txt",
    [".harness/plugins/p/tools/t"],
  ],
  ["a program that a hook names", "scripts/guard.sh", [".claude/settings.json"]],
])("turns off: %s", (_, altered, others) => {
  expect(reach(altered).off).toEqual([altered, ...others].sort());
});

it("a file that hooks or servers have run in words that do not name it turns all of these off", () => {
  expect(reach("package.json").off).toEqual([".claude/settings.json", "package.json"]);
});

it("says which judges of calls do not run: changed, gone, or off with a file that they use", () => {
  expect(reach(".harness/tools/greet").judges).toEqual([]);
  expect(reach(".harness/hooks.d/tool_exec/05-approve").judges).toEqual([".harness/hooks.d/tool_exec/05-approve"]);
  expect(reach("scripts/guard.sh").judges).toEqual([".claude/settings.json", "scripts/guard.sh"]);
  const without = all.filter(({ path }) => path !== ".harness/hooks.d/tool_exec/05-approve");
  const gone = file(".harness/hooks.d/tool_exec/05-approve");
  const { judges } = alteredReach({ files: without, before: all, altered: [gone] }, ({ path }) => texts[path]);
  expect(judges.map(({ path }) => path)).toEqual([gone.path]);
});
