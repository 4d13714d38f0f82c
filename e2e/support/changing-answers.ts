import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ChangingServer, Seen } from "./changing-server.ts";
import { has, hasNot, last } from "./seen-parts.ts";
import { ownServer, withoutServer, wrongType } from "./setting-scripts.ts";

// Answers of the server that show a setting after a turn.

export async function undone(_: Seen, { client }: ChangingServer, sessionId: string): Promise<string> {
  return (await client.call("session/undo", { sessionId })).text;
}

export async function keyNotes(_: Seen, { client }: ChangingServer): Promise<string> {
  const { problems } = await client.call("auth/set", { provider: "mistral", key: "sk-0123456789abcdef" });
  return problems.join(" ");
}

/** The name that a model gave the session; undefined if the session's own model would write it. */
export async function named(_: Seen, { client, live }: ChangingServer, sessionId: string) {
  const { settings } = await client.call("settings/get", { cwd: live.cwd });
  if (settings.find(({ key }) => key === "title_model")?.value === "") return undefined;
  const { update } = await live.until(
    (each) =>
      each.sessionId === sessionId &&
      each.update.sessionUpdate === "session_info_update" &&
      each.update.origin?.by === "model",
  );
  return update;
}

/** True if the session has this file in its folder there. */
export function hasFile(folder: string, ...names: string[]) {
  return (_: Seen, { live }: ChangingServer, sessionId: string) =>
    existsSync(join(live.home, folder, sessionId, ...names));
}

/** The documents that a search of the code finds outside the workspace. */
export async function foundOutside(_: Seen, { live, client, outside }: ChangingServer): Promise<string[]> {
  writeFileSync(join(outside, "marmot.md"), "# The marmot\n\nIt sleeps in winter.");
  await client.call("index/refresh", { cwd: live.cwd });
  const { results } = await client.call("index/search", { cwd: live.cwd, query: "marmot" });
  return results.map(({ path }) => path);
}

/** The reason why the index has no vectors. */
async function embedderProblem(_: Seen, { live, client }: ChangingServer): Promise<string | undefined> {
  return (await client.call("index/refresh", { cwd: live.cwd })).embedderProblem;
}

/** Why the index cannot be searched in the store that the settings name. */
async function storeProblem(_: Seen, { live, client }: ChangingServer): Promise<string | undefined> {
  const refreshing = client.call("index/refresh", { cwd: live.cwd });
  return refreshing.then(
    () => undefined,
    (error: Error) => error.message,
  );
}

/** Why the results of a search keep their order, if a model should have reordered them. */
async function rerankProblem(_: Seen, { live, client }: ChangingServer): Promise<string | undefined> {
  for (const name of ["day", "night"]) writeFileSync(join(live.cwd, `${name}.md`), `# The dormouse\n\nBy ${name}.`);
  await client.call("index/refresh", { cwd: live.cwd });
  return (await client.call("index/search", { cwd: live.cwd, query: "dormouse" })).reranked?.problem;
}

/** For settings of the index. It is not made where nothing listens, and has no vectors without their model. */
const indexProbes = {
  embedder: { change: { embedder: "nosuch/m" }, shows: embedderProblem, before: undefined, after: has("nosuch") },
  reranker: { change: { reranker: "nosuch/m" }, shows: rerankProblem, before: undefined, after: has("nosuch") },
  index_store: {
    change: { index_store: "http://127.0.0.1:1" },
    shows: storeProblem,
    before: undefined,
    after: has("Qdrant at 127.0.0.1:1 is not running"),
  },
};

/** For the check of edits. */
const diagnosticsProbes = {
  diagnostics: {
    change: { diagnostics: "off" as const },
    script: wrongType,
    shows: last,
    before: has("Diagnostics "),
    after: hasNot("Diagnostics "),
  },
  diagnostics_wait_ms: {
    with: { diagnostics_wait_ms: 30_000 },
    change: { diagnostics_wait_ms: 0 },
    script: wrongType,
    shows: last,
    before: hasNot("Not checked"),
    after: has("Not checked: wrong.ts"),
  },
  check_command: {
    with: { language_server_folders: ["/"], check_command_wait_ms: 60_000 },
    change: { check_command: "echo 'checked.zig:1:1: error: by the command'; exit 1" },
    script: withoutServer,
    shows: last,
    before: hasNot("Diagnostics "),
    after: has("checked.zig:1:1: error: by the command"),
  },
  check_command_wait_ms: {
    with: { language_server_folders: ["/"], check_command_wait_ms: 60_000, check_command: "true" },
    change: { check_command_wait_ms: 0 },
    script: withoutServer,
    shows: last,
    before: has("No new errors (`true`)"),
    after: has("Not checked: checked.zig (`true` did not end within 0 s"),
  },
  language_server_folders: {
    with: { diagnostics_wait_ms: 30_000 },
    change: { language_server_folders: ["/"] },
    script: ownServer,
    shows: last,
    before: hasNot("basedpyright"),
    after: has("basedpyright ended with code 1"),
  },
};

export const fileProbes = { ...indexProbes, ...diagnosticsProbes };
