import type { extensionMethods, Handlers } from "@harness/protocol";
import type { HandlerHost } from "../handler-host.ts";

export function extensionHandlers({ workspaces }: HandlerHost): Handlers<typeof extensionMethods> {
  return {
    async "extensions/list"({ cwd }) {
      const { sources, agents } = (await workspaces.need(cwd)).brought;
      const inventory = sources.current;
      // The file's content may have problems too.
      const unused = new Map(agents.list().unused.map(({ path, problem }) => [path, problem]));
      return {
        sources: inventory.sources.map(({ folder, owner, layout }) => ({ folder, owner, layout })),
        entries: sources.entries.map(({ kind, name, stage, path, source, shadows, ...entry }) => {
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
