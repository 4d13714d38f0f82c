import { type Handlers, type indexMethods, protocolError } from "@harness/protocol";
import type { IndexProblem } from "@harness/workspace";
import type { HandlerHost } from "../../handler-host.ts";

export function indexHandlers(server: HandlerHost): Handlers<typeof indexMethods> {
  const indexOf = async (cwd: string) => (await server.workspaces.need(cwd)).index;
  return {
    async "index/status"({ cwd }) {
      const index = await indexOf(cwd);
      const { progress } = index;
      const summary = await index.summary();
      return { ...(summary && { index: orProblem(summary) }), ...(progress && { progress }) };
    },
    async "index/refresh"({ cwd, rebuild }, { signal }) {
      const refreshed = await (await indexOf(cwd)).refresh({ rebuild, signal });
      if (signal.aborted) throw protocolError("cancelled", "Indexing was stopped. What is indexed by now is kept.");
      return orProblem(refreshed);
    },
    "index/pause"({ isPaused }) {
      server.records.codeSearch.pause(isPaused);
      server.sessions.hud.refreshAll();
      return {};
    },
    async "index/remove"({ cwd }) {
      return { removed: await (await indexOf(cwd)).remove() };
    },
    async "index/search"({ cwd, waitMs, ...query }) {
      return orProblem(await (await indexOf(cwd)).search(query, waitMs));
    },
    async "index/symbols"({ cwd, ...query }) {
      return orProblem(await (await indexOf(cwd)).symbols(query));
    },
  };
}

function orProblem<T extends object>(answer: T | IndexProblem): T {
  if (!("problem" in answer)) return answer;
  if (answer.isMissing) throw protocolError("not_found", answer.problem, { what: "index" });
  throw protocolError("storage_failed", answer.problem);
}
