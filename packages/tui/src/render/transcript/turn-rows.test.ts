import type { TurnItem } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { KeyLabels } from "../../keymap/key-labels.ts";
import { textOfRow } from "../../text/style.ts";
import { fileOfRow, turnRows } from "./turn-rows.ts";

const keys = new KeyLabels({ keysOf: (action) => (action === "anywhere.settings" ? ["ctrl+s"] : []) });
const texts = (item: Partial<TurnItem>, open = false, width = 70): string[] =>
  turnRows({ kind: "turn", id: "e1", at: "", ...item }, { width, open, keys }).map(textOfRow);
const files = ["src/a.ts", "src/b.ts"].map((path) => ({ path, change: "modify" as const, added: 2, removed: 1 }));
const changes = { files, moreFiles: 0, added: 4, removed: 2 };

describe("the line at the end of a turn", () => {
  it.each<[string, Partial<TurnItem>, string[]]>([
    [
      "says time, tokens, cost and files",
      {
        ms: 65_000,
        usage: { inputTokens: 8100, outputTokens: 320 },
        cost: { usd: 0.021, unpricedRequests: 0 },
        changes,
      },
      ["  1 min 05 s · 8.1k tokens in · 320 out · $0.02 · 2 files +4 −2 · src…"],
    ],
    [
      "leaves out a cost that is nothing, or unknown",
      { ms: 2000, usage: { outputTokens: 5 }, cost: { usd: 0, unpricedRequests: 1 } },
      ["  2 s · 5 out"],
    ],
    ["is not there where nothing is to be said", { ms: 10, stopReason: "end_turn" }, []],
    [
      "leaves caches and binaries out of what it counts and names",
      {
        changes: {
          ...changes,
          files: [
            { path: "shop/__pycache__/cart.cpython-311.pyc", change: "create", added: 0, removed: 0 },
            { path: "blob/a.bin", change: "create", added: 0, removed: 0, binary: true },
            { path: "logo.bin", change: "modify", added: 0, removed: 0 },
            ...files,
          ],
        },
      },
      ["  2 files +4 −2 · src/a.ts, src/b.ts"],
    ],
    ["names one file", { changes: { ...changes, files: files.slice(0, 1), removed: 0 } }, ["  1 file +4 · src/a.ts"]],
    [
      "comes after a failure",
      {
        ms: 3000,
        stopReason: "error",
        error: { kind: "auth", message: "The key was\u001b[2J refused (401).\nCtrl+S" },
      },
      ["✗ The key was refused (401).", "  Ctrl+S", "  Type /continue to try again.", "  3 s"],
    ],
    ["says that it was stopped", { ms: 1000, stopReason: "cancelled" }, ["■ Stopped.", "  1 s"]],
    [
      "says how to go on",
      { stopReason: "interrupted" },
      ["! The turn was interrupted when the server ended. Type /continue to go", "  on."],
    ],
    [
      "names the window's own place for a key, not a command of a shell",
      {
        error: {
          kind: "auth",
          message:
            'OpenAI did not accept the API key (401). Set OPENAI_API_KEY to a valid one in the environment or in a .env file, or run `harness auth set openai`. It says: "no"',
        },
      },
      [
        "✗ OpenAI did not accept the API key (401). Set OPENAI_API_KEY to a",
        '  valid one in the environment or in a .env file. It says: "no"',
        "  Ctrl+S opens Settings: type `keys` for keys and logins. /continue",
        "  tries again.",
      ],
    ],
    [
      "does not repeat the warning before it",
      { ms: 1000, stopReason: "loop", explained: true },
      ["  Say what to try instead, or type /continue.", "  1 s"],
    ],
  ])("%s", (_, item, rows) => {
    expect(texts(item)).toEqual(rows);
  });

  it("opens to the files", () => {
    const moved = [...files, { path: "c\u202e", change: "create" as const, added: 1, removed: 0 }];
    expect(texts({ changes: { files: moved, moreFiles: 4, added: 5, removed: 2 } }, true)).toEqual([
      "  7 files +5 −2 · src/a.ts, src/b.ts, c",
      "    changed src/a.ts +2 −1",
      "    changed src/b.ts +2 −1",
      "    new     c +1",
      "    … 4 more files",
    ]);
  });
});

describe("a row of the open line", () => {
  it("names its file, and no other row does", () => {
    const paths = ["src/a.ts", "src/a.tsx", "b.md"];
    const item = {
      kind: "turn" as const,
      id: "e1",
      at: "",
      ms: 3000,
      changes: { ...changes, files: paths.map((path) => ({ path, change: "modify" as const, added: 1, removed: 0 })) },
    };
    const rows = turnRows(item, { width: 70, open: true, keys }).map(textOfRow);
    expect(rows.map((text) => fileOfRow(item, text))).toEqual([undefined, ...paths]);
    expect(fileOfRow({ kind: "turn", id: "e1", at: "" }, "changed a.ts")).toBeUndefined();
  });
});
