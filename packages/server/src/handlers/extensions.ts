import { listEntries } from "@harness/extensions";
import type { Handlers, ServerMethods } from "@harness/protocol";
import { requireDirectory } from "@harness/workspace";
import type { HandlerHost } from "../handler-host.ts";

export function extensionHandlers({
  identity,
  extensions,
  sessions,
}: HandlerHost): Pick<Handlers<ServerMethods>, "extensions/list"> {
  return {
    async "extensions/list"({ cwd = identity.cwd }) {
      await requireDirectory(cwd);
      const inventory = extensions.sources.at(cwd);
      // What the file itself says may be wrong, too.
      const unused = new Map(sessions.agents.list(cwd).unused.map(({ path, problem }) => [path, problem]));
      return {
        sources: inventory.sources.map(({ folder, owner, layout }) => ({ folder, owner, layout })),
        entries: listEntries(inventory).map(({ kind, name, stage, path, source, shadows, ...entry }) => {
          const { shadowedBy, needsTrust = false, problem = unused.get(path) } = entry;
          return {
            kind,
            name,
            ...(stage !== undefined && { stage }),
            path,
            owner: source.owner,
            source: source.folder,
            shadows: [...shadows],
            ...(shadowedBy !== undefined && { shadowedBy }),
            ...(problem !== undefined && { problem }),
            trusted: !needsTrust,
          };
        }),
      };
    },
  };
}
