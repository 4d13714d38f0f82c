import { type Handlers, type indexMethods, invalidParam, protocolError } from "@harness/protocol";
import type { EmbedderDescription, IndexProblem } from "@harness/workspace";
import { addCollection, orIndexError, removeCollection } from "../../collections.ts";
import type { HandlerHost } from "../../handler-host.ts";
import { describeSearchModel, setSearchModel } from "../../search-model-setting.ts";

export function indexHandlers(server: HandlerHost): Handlers<typeof indexMethods> {
  const indexOf = async (cwd: string) => (await server.workspaces.need(cwd)).index;
  return {
    async "index/status"({ cwd }) {
      const index = await indexOf(cwd);
      const { progress } = index;
      const summary = await index.summary();
      return { ...(summary && { index: orIndexError(summary) }), ...(progress && { progress }) };
    },
    async "index/refresh"({ cwd, rebuild }, { signal }) {
      const refreshed = await (await indexOf(cwd)).refresh({ rebuild, signal });
      if (signal.aborted) throw protocolError("cancelled", "Indexing was stopped. What is indexed by now is kept.");
      return orIndexError(refreshed);
    },
    async "index/describe_embedder"({ cwd, ...wanted }, { signal }) {
      return orNameError(await describeSearchModel(server, await server.workspaces.need(cwd), wanted, signal));
    },
    async "index/set_embedder"({ cwd, ...wanted }, { signal }) {
      const workspace = await server.workspaces.need(cwd);
      const { name, leavesTo } = orNameError(await setSearchModel(server, workspace, wanted, signal));
      return { name, ...(leavesTo !== undefined && { leavesTo }) };
    },
    "index/pause"({ isPaused }) {
      server.records.codeSearch.pause(isPaused);
      server.sessions.hud.refreshAll();
      return {};
    },
    async "index/add"({ cwd, ...collection }, { signal }) {
      return addCollection(server, await server.workspaces.need(cwd), { ...collection, signal });
    },
    async "index/list"({ cwd }) {
      return { folders: orIndexError(await (await indexOf(cwd)).list()) };
    },
    async "index/remove"({ cwd, collection }) {
      const workspace = await server.workspaces.need(cwd);
      if (collection !== undefined) return removeCollection(server, workspace, collection);
      const removed = await workspace.index.remove();
      return orIndexError<{ removed: boolean }>(typeof removed === "object" ? removed : { removed });
    },
    async "index/search"({ cwd, waitMs, ...query }) {
      return orIndexError(await (await indexOf(cwd)).search(query, waitMs));
    },
    async "index/symbols"({ cwd, ...query }) {
      return orIndexError(await (await indexOf(cwd)).symbols(query));
    },
  };
}

function orNameError(answer: EmbedderDescription | IndexProblem): EmbedderDescription {
  if ("problem" in answer) throw invalidParam("name", answer.problem);
  return answer;
}
