// Answers of models in the tests of settings.

import { turns } from "@harness/testkit";
import type { Seen } from "./changing-server.ts";
import type { Turns } from "./observe-turn.ts";

/** A file that no language server is for, each time anew. */
export const withoutServer: Turns = [
  turns.call("bash", { command: "rm -f checked.zig" }),
  turns.call("write", { file_path: "checked.zig", content: "const x = 1;\n" }),
  turns.say("end"),
];

export const bash = (command: string): Turns => [turns.call("bash", { command }), turns.say("end")];
export const write: Turns = [turns.call("write", { file_path: "new.txt", content: "12345" }), turns.say("end")];
/** A file that a compiler refuses, each time anew. */
export const wrongType: Turns = [
  turns.call("bash", { command: "rm -f wrong.ts" }),
  turns.call("write", { file_path: "wrong.ts", content: "export const n: number = '';\n" }),
  turns.say("end"),
];
/** A folder with a language server of its own, and an edit of its language. */
export const ownServer: Turns = [
  turns.call("bash", {
    command:
      "mkdir -p .venv/bin; cd .venv/bin; printf '#!/bin/sh\\nexit 1\\n' > basedpyright-langserver; chmod +x *; rm -f ../../own.py",
  }),
  turns.call("write", { file_path: "own.py", content: "print(1)\n" }),
  turns.say("end"),
];
export const search: Turns = [turns.call("web_search", { query: "x" }), turns.say("end")];

export const long = (n: number) => turns.call("ls", { path: "./".repeat(n) }, { text: "A long thought. ".repeat(100) });
/** The model also answers the requests of a compaction. */
export const END = turns.say("end", { repeat: "always" });
export const LONG: Turns = [long(1), long(2), long(3), END];
/** More than a model has in view. */
export const FAR = [1, 2, 3, 4, 5].map((n) =>
  turns.call("ls", { path: "./".repeat(n) }, { text: "A thought. ".repeat(1_000) }),
);

export const MANY: Turns = [
  turns.calls([
    ["ls", {}],
    ["ls", { path: "." }],
  ]),
  turns.say("end"),
];

const failed = turns.fail({ kind: "status", status: 503, body: { error: { message: "busy" } } });
export const BUSY: Turns = [failed, failed, turns.say("end")];
export const LATE: Turns = [turns.say("late", { delayMs: 1_300 })];

export const child = turns.call("agent", { task: "x" });
const UNTIL_NEW = "until [ -e new.txt ]; do sleep 0.02; done";
/** The agents run until all were started. */
const TWO_AGENTS: Turns = [
  turns.calls(["part x", "part y"].map((task) => ["start_subagent", { task }])),
  { ...END, when: { toolResultFor: "bash" } },
  turns.call("bash", { command: UNTIL_NEW }, { when: { firstUser: "part" }, repeat: "always" }),
  turns.call("bash", { command: "touch new.txt" }),
  END,
];
export const CHILD: Turns = [child, turns.call("ls"), END];

/** How many of two starts are refused. */
export const twoAgents = {
  script: TWO_AGENTS,
  shows: ({ outcomes }: Seen) => outcomes.filter(({ status }) => status === "error").length,
  before: 0,
  after: 1,
};
