import { isAbsolute, resolve } from "node:path";
import type { SearchModelRole } from "@harness/protocol";
import type { EmbedderDescription, IndexProblem, Workspace } from "@harness/workspace";
import { applySettings } from "./follow-changes.ts";
import type { HandlerHost } from "./handler-host.ts";

/** `name`: the value of the setting `role`. */
type SearchModelName = { role: SearchModelRole; name: string };

/** Describes an embedder or a reranker, without using it; `none` is one, too. */
export async function describeSearchModel(
  { models }: HandlerHost,
  workspace: Workspace,
  { role, name }: SearchModelName,
  signal: AbortSignal,
): Promise<EmbedderDescription | IndexProblem> {
  const wanted = settingFor(name, workspace.folder);
  if (wanted === "none") return { name: "none" };
  if (role === "reranker") return models.rerankers.describe(wanted, workspace);
  return models.embedders.describe(wanted, workspace, signal);
}

/**
 * Writes the model into the user's settings, once it has proved to be there. `install`: what it needs may be
 * downloaded. The problem is a sentence.
 */
export async function setSearchModel(
  host: HandlerHost,
  workspace: Workspace,
  { role, name, install }: SearchModelName & { install: boolean },
  signal: AbortSignal,
): Promise<EmbedderDescription | IndexProblem> {
  const { embedders } = host.models;
  const wanted = settingFor(name, workspace.folder);
  if (role === "embedder" && wanted !== "none" && install) {
    const installed = await embedders.install(wanted, workspace);
    if ("problem" in installed) return installed;
  }
  const described = await describeSearchModel(host, workspace, { role, name }, signal);
  if ("problem" in described) return described;
  if (described.installs) return { problem: downloadSentence(described.installs) };
  const saved = applySettings(host, [{ key: role, value: wanted === "none" ? null : wanted }]);
  if ("problem" in saved) return { problem: saved.problem };
  host.clients.broadcast("settings/changed", { version: saved.version });
  return described;
}

/** For people who have not agreed to the download yet. */
function downloadSentence({ megabytes }: { megabytes: number }): string {
  return `The embedder builtin is not installed: npm would download ${megabytes} MB. To agree: harness index --embedder builtin`;
}

/** Sessions of other folders read the setting as well. */
function settingFor(name: string, folder: string): string {
  const isPath = /\.gguf$/i.test(name) && !name.startsWith("gguf/") && !name.startsWith("~") && !isAbsolute(name);
  return isPath ? resolve(folder, name) : name;
}
