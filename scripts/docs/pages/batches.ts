import { claimOf, clash } from "@harness/core";
import { settings } from "@harness/protocol";
import { builtinTools } from "@harness/tools";
import { table } from "./markdown-table.ts";

const CWD = "/work";

type Call = readonly [tool: string, args: Record<string, unknown>];

const bash = (command: string, parallel?: true): Call => ["bash", { command, ...(parallel ? { parallel } : {}) }];
const file = (tool: string, path: string): Call => [
  tool,
  { file_path: path, content: "", old_string: "a", new_string: "b" },
];

const aboutProcess = (action: string): Call => ["process", { action, id: "p1" }];

/** Replies of two or three calls. */
const batches: readonly (readonly Call[])[] = [
  [file("read", "a.ts"), ["grep", { pattern: "x" }], bash("git log -3")],
  [bash("npm run generate"), file("read", "generated.ts")],
  [file("edit", "a.ts"), bash("npm test")],
  [file("edit", "a.ts"), file("edit", "b.ts"), file("read", "a.ts")],
  [bash("cat a.ts"), file("write", "a.ts"), file("write", "b.ts")],
  [bash("npm test"), bash("npm run lint")],
  [bash("npm test", true), bash("npm run lint", true), file("read", "report.txt")],
  [bash("sort a.txt"), bash("sort -uo a.txt b.txt")],
  [bash("git push"), ["web_fetch", { url: "https://example.com/" }]],
  [["web_fetch", { url: "https://example.com/" }], ["web_search", { query: "x" }], file("write", "a.ts")],
  [aboutProcess("stop"), aboutProcess("output")],
  [["bash", { command: "tail -f app.log", background: true }], aboutProcess("list")],
];

/** Which calls of a reply run concurrently and which wait, as decided by the loop. */
export function batchTable(): string {
  const { tools } = builtinTools({ toolTimeoutMs: settings.tool_timeout_ms.default });
  const paths = { real: (path: string) => path, exists: () => false };
  const claim = ([name, args]: Call) => {
    const tool = tools.find((each) => each.name === name);
    if (!tool) throw new Error(`There is no tool ${name}.`);
    const { category } = tool;
    const concurrency = tool.concurrency?.(args) ?? "by-effects";
    return claimOf({ effects: tool.effects(args, CWD), category, concurrency }, paths);
  };
  const rows = batches.map((calls) => {
    const claims = calls.map(claim);
    const waits = claims.flatMap((one, index) => {
      const before = claims.slice(0, index).flatMap((other, at) => (clash(other, one) ? [at + 1] : []));
      return before.length > 0 ? [`${index + 1} waits for ${before.join(" and ")}`] : [];
    });
    return [calls.map(callText).join(", "), waits.length > 0 ? waits.join("; ") : "side by side"];
  });
  return table(["calls of one reply", "what waits"], rows);
}

function callText([tool, { command, parallel, background, file_path, pattern, url, query, action, id }]: Call): string {
  const what = [command, file_path, pattern, url, query, action, id].filter((each) => each !== undefined).join(" ");
  return `\`${tool} ${what}\`${parallel ? " (`parallel`)" : ""}${background ? " (`background`)" : ""}`;
}
