/** The question that the list answers; equal values are the same question. */
export type AskedSessions = {
  /** Words of the search, without the filters typed among them. */
  readonly words: string;
  /** Only sessions of this folder. */
  readonly folder: string | undefined;
  /** Part of a model's name. */
  readonly model: string | undefined;
  /** As typed: `7d`, `2w`, `2026-11-21`. */
  readonly since: string | undefined;
  readonly section: SessionSection;
};

/** Which of the stored sessions are listed. */
export type SessionSection = "current" | "archive" | "bin";

const FILTER = /(?<=^|\s)(model|since):(\S*)/gi;
const SPAN = /^(\d{1,4})([hdwm])$/;
const HOUR_MS = 3_600_000;
const spans: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 168 * HOUR_MS, m: 720 * HOUR_MS };

/** Divides what was typed into words and filters; `model:` and `since:` without a value are still being typed. */
export function readFilter(typed: string): Pick<AskedSessions, "words" | "model" | "since"> {
  const found: { model?: string; since?: string } = {};
  const words = typed.replace(FILTER, (_, name: string, value: string) => {
    if (value !== "") found[name.toLowerCase() as "model" | "since"] = value;
    return "";
  });
  return { words: words.trim().replace(/\s+/g, " "), model: found.model, since: found.since };
}

/** The moment that `7d` or `2026-11-21` names, as ISO 8601; undefined: it names none (yet). */
export function sinceDate(since: string, nowMs: number): string | undefined {
  const small = since.toLowerCase();
  const [, count, unit = ""] = SPAN.exec(small) ?? [];
  if (count !== undefined) return new Date(nowMs - Number(count) * (spans[unit] ?? 0)).toISOString();
  if (small === "today" || small === "yesterday") {
    const day = new Date(nowMs);
    day.setHours(0, 0, 0, 0);
    if (small === "yesterday") day.setDate(day.getDate() - 1);
    return day.toISOString();
  }
  if (!/^\d{4}-\d{2}(-\d{2})?$/.test(small)) return undefined;
  const day = new Date(`${small.length === 7 ? `${small}-01` : small}T00:00:00`);
  return Number.isNaN(day.getTime()) ? undefined : day.toISOString();
}

/** The same question has the same key. */
export function keyOfAsked(asked: AskedSessions): string {
  return JSON.stringify([asked.words, asked.folder, asked.model, asked.since, asked.section]);
}

/** True if words are looked for in all that was said: in the bin, only in what the list itself has. */
export function isFullText({ words, section }: AskedSessions): boolean {
  return words !== "" && section !== "bin";
}

/** The question as `session/list` and `session/search` take its filters; a date that names no moment is left out. */
function filterParams({ model, since, section }: AskedSessions, nowMs: number) {
  const date = since === undefined ? undefined : sinceDate(since, nowMs);
  return {
    ...(model === undefined ? {} : { model }),
    ...(date === undefined ? {} : { since: date }),
    ...(section === "archive" ? { archived: true } : {}),
  };
}

/** The question to `session/list`. */
export function listParams(asked: AskedSessions, nowMs: number) {
  const { words, folder } = asked;
  return {
    ...(folder === undefined ? {} : { cwd: folder }),
    ...(words === "" ? {} : { query: words }),
    ...(asked.section === "bin" ? { deleted: true } : { runsLast: true }),
    ...filterParams(asked, nowMs),
  };
}

/** The question to `session/search`. */
export function searchParams(asked: AskedSessions, nowMs: number) {
  const { words, folder } = asked;
  return { query: words, ...(folder === undefined ? {} : { folder }), ...filterParams(asked, nowMs) };
}
