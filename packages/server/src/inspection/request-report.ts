import { lineDiff } from "@harness/host";
import type { RequestReport, RequestSection } from "@harness/protocol";
import { type RequestPart, requestParts } from "./request-parts.ts";
import type { LastRequests } from "./sent-requests.ts";

const CHARS_PER_TOKEN = 4;
const MAX_DIFF_LINES = 1_000;
/** The number of largest pieces to name per section. */
const MAX_ITEMS = 10;

/** The last request of an agent, for people; `hide` removes secrets before anything else is done with it. */
export async function requestReport(
  { last, before }: LastRequests,
  hide: (text: string) => string,
): Promise<RequestReport> {
  const body = hide(last.body);
  const parts = requestParts(body);
  const { at, agentId, provider, model } = last;
  return {
    ...{ at, agentId, provider, model, address: hide(last.address), body },
    text: parts.map(textOfPart).join("\n\n"),
    tokens: tokensOf(parts),
    sections: sectionsOf(parts),
    ...(before ? { difference: await differenceOf(requestParts(hide(before.body)), parts, before.at) } : {}),
  };
}

function sectionsOf(parts: readonly RequestPart[]): RequestSection[] {
  const sections = [...new Set(parts.map(({ section }) => section))];
  return sections.map((section) => {
    const own = parts.filter((part) => part.section === section);
    const items = own
      .map((part) => ({ name: part.name, tokens: tokensOf([part]) }))
      .sort((a, b) => b.tokens - a.tokens)
      .slice(0, MAX_ITEMS);
    return { section, tokens: tokensOf(own), parts: own.length, items };
  });
}

/** Reports how much of the beginning is unchanged, which server caches can reuse. */
async function differenceOf(
  before: readonly RequestPart[],
  after: readonly RequestPart[],
  at: string,
): Promise<NonNullable<RequestReport["difference"]>> {
  let same = 0;
  while (same < after.length && isSame(before[same], after[same])) same += 1;
  const text = (parts: readonly RequestPart[]) => parts.slice(same).map(textOfPart).join("\n\n");
  const { hunks, added, removed } = await lineDiff("request", text(before), text(after), { maxLines: MAX_DIFF_LINES });
  return {
    at,
    sameParts: same,
    sameTokens: tokensOf(after.slice(0, same)),
    parts: after.length,
    hunks,
    added,
    removed,
  };
}

function isSame(one: RequestPart | undefined, other: RequestPart | undefined): boolean {
  return one !== undefined && one.name === other?.name && one.text === other.text;
}

function textOfPart({ name, text }: RequestPart): string {
  return `── ${name}\n${text}`;
}

function tokensOf(parts: readonly RequestPart[]): number {
  return Math.ceil(parts.reduce((sum, { chars }) => sum + chars, 0) / CHARS_PER_TOKEN);
}
