import { isAbsolute, resolve } from "node:path";
import type { EmbedderDescription, IndexProblem, Workspace } from "@harness/workspace";
import { applySettings } from "./follow-changes.ts";
import type { HandlerHost } from "./handler-host.ts";

/** Describes an embedder, without using it; `none` is one, too. */
export async function describeEmbedder(
  { models }: HandlerHost,
  workspace: Workspace,
  name: string,
  signal: AbortSignal,
): Promise<EmbedderDescription | IndexProblem> {
  const wanted = settingFor(name, workspace.folder);
  return wanted === "none" ? { name: "none" } : models.embedders.describe(wanted, workspace, signal);
}

/**
 * Writes the embedder into the user's settings, once it has proved to be there. `install`: what it needs may be
 * downloaded. The problem is a sentence.
 */
export async function setEmbedder(
  host: HandlerHost,
  workspace: Workspace,
  { name, install }: { name: string; install: boolean },
  signal: AbortSignal,
): Promise<EmbedderDescription | IndexProblem> {
  const { embedders } = host.models;
  const wanted = settingFor(name, workspace.folder);
  if (wanted !== "none" && install) {
    const installed = await embedders.install(wanted, workspace);
    if ("problem" in installed) return installed;
  }
  const described = await describeEmbedder(host, workspace, name, signal);
  if ("problem" in described) return described;
  if (described.installs) return { problem: downloadSentence(described.installs) };
  const saved = applySettings(host, [{ key: "embedder", value: wanted === "none" ? null : wanted }]);
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
