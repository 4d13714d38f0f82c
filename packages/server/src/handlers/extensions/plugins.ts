import { join, resolve } from "node:path";
import { testPlugin, writePlugin } from "@harness/extensions";
import { realPathOrSame } from "@harness/host";
import { type Handlers, protocolError, type Result, type ServerMethods } from "@harness/protocol";
import { requireDirectory } from "@harness/workspace";
import { listTools } from "../../commands/list-tools.ts";
import type { HandlerHost } from "../../handler-host.ts";

type Names = "tools/list" | "plugin/new" | "plugin/test";

export function pluginHandlers(host: HandlerHost): Pick<Handlers<ServerMethods>, Names> {
  const { identity, extensions, safety } = host;
  const { trust } = safety;
  const { programs, ownFolder } = extensions;
  return {
    async "tools/list"({ cwd = identity.cwd }) {
      await requireDirectory(cwd);
      return listTools(host, cwd);
    },
    async "plugin/new"({ cwd = identity.cwd, kind, name, lang, owner, stage }) {
      await requireDirectory(cwd);
      const folder = owner === "person" ? ownFolder : join(cwd, ".harness");
      if (owner === "project" && !realPathOrSame(folder).startsWith(join(realPathOrSame(cwd), "/")))
        throw invalid("owner", `${folder} points outside ${cwd}: nothing was written.`);
      const before = owner === "project" ? await trust.view(cwd) : undefined;
      const written = writePlugin({ kind, name, language: lang, stage, folder });
      if ("problem" in written && written.kind === "failed") throw protocolError("storage_failed", written.problem);
      if ("problem" in written) throw invalid("name", written.problem);
      if (before) await trust.extend(cwd, before, written.path);
      extensions.sources.forgetMoment();
      return written;
    },
    async "plugin/test"({ cwd = identity.cwd, path, kind, input }, { signal }) {
      await requireDirectory(cwd);
      const file = resolve(cwd, path);
      const { isWithheld, check } = await secretsTo(host, cwd, file);
      const verdict = await testPlugin({
        path: file,
        ...(kind ? { kind } : {}),
        ...(input ? { input } : {}),
        env: (declared) =>
          programs.environment(
            cwd,
            { toolTimeoutMs: 10_000 },
            declared.filter((name) => !isWithheld(name)),
          ),
        signal,
      });
      if ("problem" in verdict) throw invalid("path", verdict.problem);
      const checks = [...verdict.checks, ...check()];
      return { path: file, ...verdict, checks };
    },
  };
}

/**
 * What a program is tested without. The person has named it, and runs it; but a file of a project gets nothing before it is trusted, and then
 * the secrets that were granted to it. `check`: says afterwards which were not.
 */
async function secretsTo({ safety: { trust }, models }: HandlerHost, cwd: string, file: string) {
  const withheld = new Set<string>();
  const check = (): Result<ServerMethods, "plugin/test">["checks"] => {
    if (withheld.size === 0) return [];
    const names = [...withheld].join(", ");
    return [{ name: "--env", status: "warning", detail: `tested without ${names}: not granted (harness trust)` }];
  };
  if (trust.isUntrusted(cwd, file)) return { isWithheld: () => true, check };
  const granted = trust.wouldHaveEffect(cwd, file) ? trust.grantedTo(cwd, file) : undefined;
  if (granted === undefined) return { isWithheld: () => false, check };
  const needsGrant = await models.choice.withheldFrom(cwd, granted);
  const isWithheld = (name: string): boolean => {
    if (needsGrant(name)) withheld.add(name);
    return withheld.has(name);
  };
  return { isWithheld, check };
}

function invalid(path: string, message: string) {
  return protocolError("invalid_params", message, { issues: [{ path, message }] });
}
