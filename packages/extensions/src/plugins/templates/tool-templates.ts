/** Tool templates: complete, and accepted by `harness plugin test`. NAME is replaced by the name. */
export const toolTemplates = {
  sh: `#!/bin/sh
# A tool of harness: --schema says what it is, --exec runs it. Its arguments are JSON on stdin, what it prints is the result.
case \${1-} in
--describe) echo "Counts the lines of a file." ;;
--schema)
  cat <<'END'
{
  "name": "NAME",
  "description": "Counts the lines of a file.",
  "input_schema": {
    "type": "object",
    "properties": { "path": { "type": "string", "description": "The file", "examples": ["/etc/passwd"] } },
    "required": ["path"],
    "additionalProperties": false
  },
  "x-harness": { "category": "readOnly", "effects": [{ "kind": "read", "argument": "path" }], "timeoutMs": 10000 }
}
END
  ;;
--exec)
  # Enough for one argument that is a plain text; for more, jq or another language reads JSON well.
  path=$(sed -n 's/.*"path"[[:space:]]*:[[:space:]]*"\\([^"\\\\]*\\)".*/\\1/p')
  [ -n "$path" ] || { echo "Give a path, such as {\\"path\\": \\"README.md\\"}." >&2; exit 1; }
  [ -f "$path" ] || { echo "$path is no file." >&2; exit 1; }
  printf '%s lines\\n' "$(wc -l < "$path" | tr -d ' ')"
  ;;
*) echo "usage: NAME --schema | --describe | --exec" >&2; exit 2 ;;
esac
`,
  python: `#!/usr/bin/env python3
"""A tool of harness: --schema says what it is, --exec runs it. Its arguments are JSON on stdin, what it prints is the result."""
import json
import sys

DESCRIPTION = "Counts the lines of a file."
SCHEMA = {
    "name": "NAME",
    "description": DESCRIPTION,
    "input_schema": {
        "type": "object",
        "properties": {"path": {"type": "string", "description": "The file", "examples": ["/etc/passwd"]}},
        "required": ["path"],
        "additionalProperties": False,
    },
    # What a call does, so that it is asked about no more than that. Without it, each call is asked about as a command.
    "x-harness": {"category": "readOnly", "effects": [{"kind": "read", "argument": "path"}], "timeoutMs": 10000},
}


def run(arguments):
    with open(arguments["path"], encoding="utf-8", errors="replace") as file:
        return f"{sum(1 for _ in file)} lines"


def main():
    flag = sys.argv[1] if len(sys.argv) > 1 else ""
    if flag == "--schema":
        print(json.dumps(SCHEMA))
    elif flag == "--describe":
        print(DESCRIPTION)
    elif flag == "--exec":
        try:
            print(run(json.load(sys.stdin)))
        except (OSError, ValueError, KeyError) as error:
            sys.exit(f"It did not work: {error!r}")
    else:
        sys.exit("usage: NAME --schema | --describe | --exec")


main()
`,
  node: `#!/usr/bin/env node
// A tool of harness: --schema says what it is, --exec runs it. Its arguments are JSON on stdin, what it prints is the result.
const { readFileSync } = process.getBuiltinModule("node:fs");

const description = "Counts the lines of a file.";
const schema = {
  name: "NAME",
  description,
  input_schema: {
    type: "object",
    properties: { path: { type: "string", description: "The file", examples: ["/etc/passwd"] } },
    required: ["path"],
    additionalProperties: false,
  },
  // Says what a call does, so that it is asked about no more than that. Without it, each call is asked about as a command.
  "x-harness": { category: "readOnly", effects: [{ kind: "read", argument: "path" }], timeoutMs: 10000 },
};

function run({ path }) {
  return \`\${readFileSync(path, "utf8").split("\\n").length - 1} lines\`;
}

function fail(words) {
  console.error(words);
  process.exitCode = 1;
}

const [flag] = process.argv.slice(2);
if (flag === "--schema") console.log(JSON.stringify(schema));
else if (flag === "--describe") console.log(description);
else if (flag === "--exec") {
  try {
    console.log(run(JSON.parse(readFileSync(0, "utf8"))));
  } catch (error) {
    fail(\`It did not work: \${error.message}\`);
  }
} else fail("usage: NAME --schema | --describe | --exec");
`,
} as const;
