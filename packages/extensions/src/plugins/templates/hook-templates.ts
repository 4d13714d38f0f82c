/** Hook templates: they pass on their input, and refuse a call that removes everything. */
export const hookTemplates = {
  sh: `#!/bin/sh
# A hook of harness: it gets the value of its stage as JSON on stdin and hands it on to stdout. In hooks.d/tool_exec an exit code
# other than 0 refuses the call, with what was printed as the reason; stderr goes to the log.
input=$(cat)
case $input in
*'rm -rf /'*)
  echo '{"error": "That would remove everything. Name what should go."}'
  exit 1
  ;;
esac
printf '%s\\n' "$input"
`,
  python: `#!/usr/bin/env python3
"""A hook of harness: it gets the value of its stage as JSON on stdin and hands it on to stdout. In hooks.d/tool_exec an exit code
other than 0 refuses the call, with what was printed as the reason; stderr goes to the log."""
import json
import sys

text = sys.stdin.read()
value = json.loads(text)
for call in value.get("tool_calls", []):
    if "rm -rf /" in json.dumps(call.get("input")):
        print(json.dumps({"error": "That would remove everything. Name what should go."}))
        sys.exit(1)
sys.stdout.write(text)
`,
  node: `#!/usr/bin/env node
// A hook of harness: it gets the value of its stage as JSON on stdin and hands it on to stdout. In hooks.d/tool_exec an exit code
// other than 0 refuses the call, with what was printed as the reason; stderr goes to the log.
const text = process.getBuiltinModule("node:fs").readFileSync(0, "utf8");
const { tool_calls: calls = [] } = JSON.parse(text);
if (calls.some(({ input }) => JSON.stringify(input).includes("rm -rf /"))) {
  console.log(JSON.stringify({ error: "That would remove everything. Name what should go." }));
  process.exitCode = 1;
} else process.stdout.write(text);
`,
} as const;
