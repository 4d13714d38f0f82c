import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { protocolError, type Result, type ServerMethods } from "@harness/protocol";
import type { ModelAsk, ResolvedModel, Sources, UnresolvedModel } from "@harness/providers";

type AddParams = { path: string; name?: string | undefined; install: boolean };

/** Models that are files, and run by harness itself. */
export class ModelFiles {
  private readonly root: string;
  private readonly home: string;

  constructor(places: { root: string; home: string }) {
    this.root = places.root;
    this.home = places.home;
  }

  /** The file that is meant; undefined when none is. Loads nothing where no file can be meant. */
  async choose(ask: ModelAsk, cwd: string): Promise<ResolvedModel | UnresolvedModel | undefined> {
    const isNamed = ask.provider === "gguf" || /^gguf\/|\.gguf$/i.test(ask.model ?? "");
    if (!isNamed && (!ask.model || !this.hasAny())) return undefined;
    const { chooseGguf } = await import("@harness/providers/gguf");
    return chooseGguf(ask, { cwd, root: this.root, home: this.home });
  }

  async list(): Promise<Result<ServerMethods, "models/list">> {
    if (!this.hasAny()) return { models: [], problems: [] };
    const { listGguf } = await import("@harness/providers/gguf");
    return listGguf(this.root);
  }

  async health(env: Sources["env"]): Promise<Result<ServerMethods, "providers/list">["providers"][number]> {
    const { ggufHealth } = await import("@harness/providers/gguf");
    return ggufHealth(this.root, env);
  }

  async add(
    { path, name, install }: AddParams,
    cwd: string,
    { env, clock, egress }: Sources,
  ): Promise<Result<ServerMethods, "models/add">> {
    const { installRuntime, isInstalled, ModelShelf, runtimeFolder } = await import("@harness/providers/gguf");
    const shelf = new ModelShelf(this.root);
    const whole = path.startsWith("~/") ? join(this.home, path.slice(2)) : resolve(cwd, path);
    const added = await shelf.add(whole, name);
    if (!added.ok) throw invalid("path", added.problem);
    const folder = runtimeFolder(this.root, env);
    const isThere = await isInstalled(folder);
    if (!isThere && install) {
      if (egress?.localOnly) {
        const message = `${added.model.name} was added, but what runs it is not installed: npm would fetch it, and harness is in local-only mode. Install it once without --local-only.`;
        throw protocolError("storage_failed", message);
      }
      const installed = await installRuntime({ folder, env, clock });
      if (!installed.ok)
        throw protocolError(
          "storage_failed",
          `${added.model.name} was added, but cannot be run yet. ${installed.problem}`,
        );
    }
    const { models } = await this.list();
    const view = models.find(({ model }) => model === added.model.name) ?? {
      provider: "gguf",
      model: added.model.name,
    };
    return { model: view, installed: isThere || install };
  }

  async remove(name: string): Promise<Result<ServerMethods, "models/remove">> {
    const { ModelShelf } = await import("@harness/providers/gguf");
    const { removed, problem } = await new ModelShelf(this.root).remove(name);
    if (problem !== undefined) throw protocolError("storage_failed", problem);
    return { removed };
  }

  private hasAny(): boolean {
    return existsSync(join(this.root, "models.d"));
  }
}

function invalid(path: string, message: string): Error {
  return protocolError("invalid_params", message, { issues: [{ path, message }] });
}
