import { homedir } from "node:os";
import { resolve } from "node:path";
import { amount, indexedFolderLine, type SearchModelRole } from "@harness/protocol";
import type { IndexGroup, IndexProblem, Workspace } from "@harness/workspace";
import { addCollection, removeCollection } from "../../collections.ts";
import type { HandlerHost } from "../../handler-host.ts";
import { describeSearchModel, setSearchModel } from "../../search-model-setting.ts";
import { type CommandAnswer, misused, type ServerCommand } from "../server-command.ts";
import { indexingLine } from "./indexing-line.ts";

/** A small folder is indexed by then; a large one goes on while the session works. */
const WAIT_MS = 2_000;

export const indexCommand: ServerCommand = {
  description:
    "Make the search index of this folder or bring it up to date; look at it, pause it, rebuild it, delete it; add folders of documents.",
  argumentHint: "[status|pause|resume|rebuild|remove|list|add DIR|rm NAME|embedder NAME|reranker NAME]",
  needsSession: false,
  async run({ workspace, host, cwd }, args) {
    const { index } = workspace;
    const [, verb, rest = ""] = /^(add|rm|remove|embedder|reranker)\s+(.+)$/s.exec(args) ?? [];
    if (verb === "add") return added(host, workspace, readAddition(rest, cwd));
    if (verb === "embedder" || verb === "reranker") return chosen(host, workspace, verb, rest.trim());
    if (verb !== undefined) {
      await removeCollection(host, workspace, rest);
      return `${rest} is no longer a collection. Its documents stay where they are.`;
    }
    switch (args) {
      case "":
      case "rebuild":
        return refreshed(index, args === "rebuild");
      case "status":
        return statusOf(index, host.records.codeSearch);
      case "pause":
      case "resume":
        host.records.codeSearch.pause(args === "pause");
        host.sessions.hud.refreshAll();
        return args === "pause" ? "Indexing is paused. Type /index resume to go on." : "Indexing resumed.";
      case "list":
        return listOf(index);
      case "remove":
      case "rm":
        return removed(index);
      default:
        throw misused(
          "Type /index, or /index with status, list, add DIR, rm NAME, embedder NAME, reranker NAME, pause, resume, rebuild or remove.",
        );
    }
  },
};

/** Nothing is sent or downloaded before the person has seen what, and repeated the command with --yes. */
async function chosen(
  host: HandlerHost,
  workspace: Workspace,
  role: SearchModelRole,
  words: string,
): Promise<CommandAnswer> {
  const { signal } = new AbortController();
  const name = words.replace(/\s+--yes$/, "");
  const isAgreed = name !== words;
  const described = await describeSearchModel(host, workspace, { role, name }, signal);
  if ("problem" in described) return problemOf(described);
  const { leavesTo, installs } = described;
  const again = `To agree: /index ${role} ${name} --yes`;
  if (installs && !isAgreed) return `npm would download ${installs.megabytes} MB for ${described.name}. ${again}`;
  if (leavesTo !== undefined && !isAgreed) return `${leavingText(role, leavesTo)} ${again}`;
  const answer = await setSearchModel(host, workspace, { role, name, install: isAgreed }, signal);
  if ("problem" in answer) return problemOf(answer);
  if (role === "reranker")
    return answer.name === "none"
      ? "Results of searches keep their order from now on."
      : `${answer.name} reorders the first results of searches from now on.`;
  if (answer.name === "none") return "Searches compare words alone from now on. The vectors are kept.";
  const refreshing = await refreshed(workspace.index, false);
  const after = typeof refreshing === "string" ? refreshing : refreshing.text;
  return `Searches compare the vectors of ${answer.name} as well. ${after}`;
}

function leavingText(role: SearchModelRole, address: string): string {
  return role === "embedder"
    ? `The text of all indexed files would go to ${address} for their vectors, and each question for its own.`
    : `Each question would go to ${address} with the text of its first 30 results.`;
}

async function removed(index: IndexGroup): Promise<CommandAnswer> {
  const end = await index.remove();
  if (typeof end === "object") return problemOf(end);
  return end ? "The index of this folder is deleted." : "This folder has no index.";
}

async function refreshed(index: IndexGroup, rebuild: boolean): Promise<CommandAnswer> {
  const refreshing = index.refresh({ rebuild, signal: new AbortController().signal });
  const done = await Promise.race([refreshing, after(WAIT_MS)]);
  if (!done)
    return `Indexing goes on in the background.${kept(index)} /index status says how far it is, /index pause pauses it.`;
  if ("problem" in done) return problemOf(done);
  const { indexed, removed } = done;
  const changes =
    indexed + removed === 0 ? "Nothing has changed." : `${amount(indexed, "file")} indexed, ${removed} removed.`;
  return `${changes} ${await textOf(index)}`;
}

/** Empty unless the index is in a store elsewhere. */
function kept({ store }: IndexGroup): string {
  return store ? ` It is kept in ${store.title} at ${store.host}, which gets the text of all indexed files.` : "";
}

/** `DIR`, `DIR --name NAME`; the folder may be quoted. */
function readAddition(words: string, cwd: string): { folder: string; name?: string } {
  const [, path = "", name] = /^(.*?)(?:\s+--name(?:=|\s+)(\S+))?$/s.exec(words.trim()) ?? [];
  const plain = path.replace(/^(["'])(.*)\1$/s, "$2").replace(/^~(?=\/|$)/, homedir());
  return { folder: resolve(cwd, plain), ...(name !== undefined && { name }) };
}

async function added(
  host: HandlerHost,
  workspace: Workspace,
  collection: { folder: string; name?: string },
): Promise<CommandAnswer> {
  const adding = addCollection(host, workspace, { ...collection, signal: new AbortController().signal });
  const done = await Promise.race([adding, after(WAIT_MS)]);
  if (!done) {
    adding.catch(() => undefined);
    return "The collection is added, and is being indexed in the background. /index list says when it is.";
  }
  return `${done.name} is added: ${amount(done.index.files, "file")} in ${amount(done.index.chunks, "chunk")}.`;
}

async function listOf(index: IndexGroup): Promise<CommandAnswer> {
  const folders = await index.list();
  return "problem" in folders ? problemOf(folders) : folders.map(indexedFolderLine).join("\n");
}

async function statusOf(index: IndexGroup, engine: { isPaused: boolean }): Promise<string> {
  const running = indexingLine(index.progress, engine);
  return [await textOf(index), ...(running === undefined ? [] : [running])].join("\n");
}

async function textOf(index: IndexGroup): Promise<string> {
  const summary = await index.summary();
  if (!summary) return "This folder has no index. /index makes one.";
  if ("problem" in summary) return summary.problem;
  const { files, chunks, fallbacks, fresh, embedder, embedderProblem } = summary;
  const broken = fallbacks > 0 ? ` Not parsed, being broken or too large: ${amount(fallbacks, "file")}.` : "";
  const made = embedder === null ? "" : ` It has vectors of ${embedder}.`;
  const vectors = embedderProblem === undefined ? made : `${made} Vectors are missing: ${embedderProblem}`;
  return `The index has ${amount(files, "file")} in ${amount(chunks, "chunk")}, and is ${fresh ? "" : "not "}up to date.${vectors}${broken}`;
}

function problemOf({ problem }: IndexProblem): CommandAnswer {
  return { text: problem, exitCode: 1 };
}

function after(ms: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms).unref();
  });
}
