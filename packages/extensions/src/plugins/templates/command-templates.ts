/** Command templates: `harness NAME` and `/NAME` run them, and show their output. */
export const commandTemplates = {
  sh: `#!/bin/sh
# A command of harness: harness NAME on the command line, /NAME in the window. --describe says in one line what it does.
if [ "\${1-}" = --describe ]; then
  echo "Says where it runs."
  exit
fi
echo "NAME runs in \${HARNESS_CWD:-$PWD}, with $# arguments: $*"
`,
  python: `#!/usr/bin/env python3
"""A command of harness: harness NAME on the command line, /NAME in the window. --describe says in one line what it does."""
import os
import sys

arguments = sys.argv[1:]
if arguments == ["--describe"]:
    print("Says where it runs.")
else:
    print(f"NAME runs in {os.environ.get('HARNESS_CWD', os.getcwd())}, with {len(arguments)} arguments: {' '.join(arguments)}")
`,
  node: `#!/usr/bin/env node
// A command of harness: harness NAME on the command line, /NAME in the window. --describe says in one line what it does.
const args = process.argv.slice(2);
if (args[0] === "--describe") console.log("Says where it runs.");
else {
  const folder = process.env.HARNESS_CWD ?? process.cwd();
  console.log(\`NAME runs in \${folder}, with \${args.length} arguments: \${args.join(" ")}\`);
}
`,
} as const;
