import { join, resolve } from "node:path";
import { testPlugin, writePlugin } from "@harness/extensions";
import { realPathOrSame } from "@harness/host";
import { type CallParams, type Params, protocolError, type Result, type ServerMethods } from "@harness/protocol";
import type { ModelCatalog } from "../models/model-catalog.ts";
import type { Workspace } from "../workspace.ts";

type NewPlugin = Omit<Params<ServerMethods, "plugin/new">, "cwd">;
type PluginTest = Omit<CallParams<ServerMethods, "plugin/test">, "cwd">;

const TOOL_TIMEOUT_MS = 10_000;

/** Writes a starter program into the user's own source or the folder's. Throws errors for the client. */
export async function createPlugin(
  { folder: cwd, safety: { trust }, brought }: Workspace,
  { kind, name, lang, owner, stage }: NewPlugin,
  ownFolder: string,
): Promise<Result<ServerMethods, "plugin/new">> {
  const folder = owner === "person" ? ownFolder : join(cwd, ".harness");
  if (owner === "project" && !realPathOrSame(folder).startsWith(join(realPathOrSame(cwd), "/")))
    throw invalid("owner", `${folder} points outside ${cwd}: nothing was written.`);
  const before = owner === "project" ? await trust.view() : undefined;
  const written = writePlugin({ kind, name, language: lang, stage, folder });
  if ("problem" in written && written.kind === "failed") throw protocolError("storage_failed", written.problem);
  if ("problem" in written) throw invalid("name", written.problem);
  if (before) await trust.extend(before, written.path);
  brought.sources.forgetMoment();
  return written;
}

/** Runs a program as harness would, and says what is wrong with it. */
export async function tryPlugin(
  workspace: Workspace,
  { path, kind, input }: PluginTest,
  { models, signal }: { models: Pick<ModelCatalog, "withheldFrom">; signal: AbortSignal },
): Promise<Result<ServerMethods, "plugin/test">> {
  const { folder, brought } = workspace;
  const file = resolve(folder, path);
  const { isWithheld, check } = await secretsTo(workspace, file, models);
  const verdict = await testPlugin({
    path: file,
    ...(kind ? { kind } : {}),
    ...(input ? { input } : {}),
    env: (declared) =>
      brought.tools.programs.environment(
        folder,
        { toolTimeoutMs: TOOL_TIMEOUT_MS },
        declared.filter((name) => !isWithheld(name)),
      ),
    signal,
  });
  if ("problem" in verdict) throw invalid("path", verdict.problem);
  const checks = [...verdict.checks, ...check()];
  return { path: file, ...verdict, checks };
}

/**
 * The secrets withheld from a program during a test. The user has named it and runs it, but a project's file gets none
 * before it is trusted, and then only those granted to it. `check`: lists the withheld ones.
 */
async function secretsTo(workspace: Workspace, file: string, models: Pick<ModelCatalog, "withheldFrom">) {
  const { trust } = workspace.safety;
  const withheld = new Set<string>();
  const check = (): Result<ServerMethods, "plugin/test">["checks"] => {
    if (withheld.size === 0) return [];
    const names = [...withheld].join(", ");
    return [{ name: "--env", status: "warning", detail: `tested without ${names}: not granted (harness trust)` }];
  };
  if (trust.isUntrusted(file)) return { isWithheld: () => true, check };
  const granted = trust.wouldHaveEffect(file) ? trust.grantedTo(file) : undefined;
  if (granted === undefined) return { isWithheld: () => false, check };
  const needsGrant = await models.withheldFrom(workspace, granted);
  const isWithheld = (name: string): boolean => {
    if (needsGrant(name)) withheld.add(name);
    return withheld.has(name);
  };
  return { isWithheld, check };
}

function invalid(path: string, message: string) {
  return protocolError("invalid_params", message, { issues: [{ path, message }] });
}
