import { type FactPage, type FactPages, isFromEnd, memoryPages } from "@harness/core";
import { type Fact, ROOT_AGENT, type StoredFact } from "@harness/protocol";
import type { SessionConf } from "./conf/session-conf.ts";
import type { OutsideFact } from "./outside-changes.ts";

/** The facts about a session that are not in its messages. */
export function confFacts({ model = "", provider = "", title = "" }: Partial<SessionConf>): Fact[] {
  const config = { ...(provider === "" ? {} : { provider }), ...(model === "" ? {} : { model }) };
  return [
    ...(Object.keys(config).length === 0 ? [] : [{ sessionUpdate: "config_option_update" as const, config }]),
    ...(title === "" ? [] : [{ sessionUpdate: "session_info_update" as const, title }]),
  ];
}

/** The facts that follow from changes of `session.conf`; `isOurs`: agents cannot write in its folder. */
export function editedConfFacts(
  { title, ...config }: Partial<SessionConf>,
  { path, isOurs }: { path: string; isOurs: boolean },
): Fact[] {
  const hasModel = Object.keys(config).length > 0;
  const { model, provider } = config;
  const [what, value] = model === undefined ? ["provider", provider] : ["model", model];
  const reason = `The ${what} is now ${value}: session.conf was edited.`;
  const refused = `The ${what} in ${path} was edited. It does not count, because agents can write this file: choose a model with /model.`;
  return [
    ...(title === undefined ? [] : [{ sessionUpdate: "session_info_update" as const, title }]),
    ...(hasModel && isOurs ? [{ sessionUpdate: "config_option_update" as const, config, reason }] : []),
    ...(hasModel && !isOurs
      ? [{ sessionUpdate: "notice" as const, severity: "warning" as const, title: refused }]
      : []),
  ];
}

/** As they would be stored. A message without a time has that of the one before it. */
export function asStored(facts: readonly OutsideFact[], after: { seq: number; at: string }): StoredFact[] {
  let { at } = after;
  return facts.map(({ at: own, update }, index) => {
    at = own === "" ? at : own;
    return { seq: after.seq + index + 1, at, agentId: ROOT_AGENT, update };
  });
}

/** The pages of a session whose last facts are not stored. */
export function withTail(stored: FactPages, tail: readonly StoredFact[]): FactPages {
  const last = memoryPages(() => tail);
  const from = tail[0]?.seq ?? Number.POSITIVE_INFINITY;
  return {
    read(range = {}): FactPage {
      if (isFromEnd(range)) {
        const page = last.read(range);
        if (page.facts.length === 0) return stored.read(range);
        const hasMore = page.more || stored.read({ ...range, before: from, limit: 1 }).facts.length > 0;
        return { facts: page.facts, more: hasMore };
      }
      const page = stored.read(range);
      if (page.more) return page;
      const rest = last.read({ ...range, limit: (range.limit ?? Number.POSITIVE_INFINITY) - page.facts.length });
      return { facts: [...page.facts, ...rest.facts], more: rest.more };
    },
  };
}
