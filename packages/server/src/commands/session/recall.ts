import { pastEntries, pastEntry, searchEntries } from "@harness/core";
import { misused, type ServerCommand } from "../server-command.ts";
import { pastLine } from "./past-line.ts";

const MAX_FOUND = 20;
const PAGE_CHARS = 10_000;
const MAX_SHOWN = 100;
const HELP = "/recall WORDS searches this session, /recall #12 shows one match in full, /recall #12 2 its second page.";

export const recallCommand: ServerCommand = {
  description: "Search everything said and done in this session, even before a compaction.",
  argumentHint: "WORDS | #NUMBER [PAGE]",
  needsSession: true,
  run({ session, host }, args) {
    if (args === "") throw misused(HELP);
    const { log, hide } = host.sessions.live.need(session.sessionId);
    const [, number, page = "1"] = /^#(\d+)(?:\s+(\d+))?$/.exec(args) ?? [];
    if (number !== undefined) {
      const entry = pastEntry(log, Number(number));
      if (!entry) return `There is no message or result #${number} in this session.`;
      return hide(pageOf(entry.text, Math.max(1, Number(page))));
    }
    const { hits, count } = searchEntries(pastEntries(log), args, MAX_FOUND);
    if (count === 0) return hide(`No match for ${shownWords(args)} in this session.`);
    const shown = hits.map(({ entry, excerpt }) => pastLine(entry, excerpt));
    const more = count > shown.length ? [`… and ${count - shown.length} more matches.`] : [];
    return hide([...shown, ...more, "", "/recall #NUMBER shows one in full."].join("\n"));
  },
};

/** A query may be a whole pasted page. */
function shownWords(args: string): string {
  return args.length <= MAX_SHOWN ? args : `${args.slice(0, MAX_SHOWN).toWellFormed()}…`;
}

function pageOf(text: string, page: number): string {
  const pages = Math.max(1, Math.ceil(text.length / PAGE_CHARS));
  const at = Math.min(page, pages);
  const part = text.slice((at - 1) * PAGE_CHARS, at * PAGE_CHARS).toWellFormed();
  return pages === 1 ? part : `${part}\n(page ${at} of ${pages})`;
}
