import { cutText } from "./cut-text.ts";
import { quotesOf } from "./quoted-prompts.ts";

/** The facts of the session that a summary must keep. */
export type Pins = {
  /** Messages of the user that are not kept, in order; the first is the goal. */
  prompts: readonly string[];
  /** Running subagents. */
  agents: readonly { agentId: string; task: string }[];
  todos: readonly { id: string; text: string; status: string }[];
  /** Files that the agent has changed or read, for display: the path, with details in parentheses. */
  files: readonly string[];
};

/** A part that a summary lacked and that had to be added. */
export type PinKind = "messages" | "rules" | "agents" | "todos" | "files";

const MAX_TASK_CHARS = 200;
const MAX_TODO_CHARS = 200;
/** Anything shorter may occur in a summary by accident. */
const MIN_CONTAINED_CHARS = 40;
/** The share of the room for everything except the user's own words. */
const STATE_SHARE = 1 / 3;

const QUOTES_TITLE = "Earlier messages from the person, word for word";
const RULES_TITLE = "Rules from the messages left out";
const sectionLine = new RegExp(`^\\W*(?:${QUOTES_TITLE}|${RULES_TITLE})|^\\s*</?message>`, "iu");

/**
 * Quotes every line of a model's summary that looks like a section heading. The user's own words are added below under
 * such headings, and text that the model read may have asked it to fake one.
 */
export function withoutSections(summary: string): string {
  return summary
    .split(/(?<=[\n\r\v\f\u0085\u2028\u2029])/u)
    .map((line) => (sectionLine.test(line) ? `> ${line.trimStart()}` : line))
    .join("");
}

/**
 * Compares a summary with the pins and returns what it lacks, verbatim, to append to it. `kinds` names the missing
 * parts.
 */
export function missingPins(pins: Pins, summary: string, maxChars: number): { text: string; kinds: PinKind[] } {
  const inSummary = plain(summary);
  const has = (words: string) => hasWords(inSummary, plain(words));
  const forState = maxChars * STATE_SHARE;
  const sections: [PinKind, string][] = [
    ...quoteSections(pins.prompts, maxChars, has),
    [
      "agents",
      pinSection(
        "Subagents still running; their results will come",
        pins.agents
          .filter(({ agentId }) => !has(agentId))
          .map(({ agentId, task }) => `${agentId}: ${cutText(oneLine(task), MAX_TASK_CHARS)}`),
        forState,
      ),
    ],
    [
      "todos",
      pinSection(
        "Your task list",
        todosFor(pins, has).map(
          ({ id, text, status }) => `[${status}] ${id} ${cutText(oneLine(text), MAX_TODO_CHARS)}`,
        ),
        forState,
      ),
    ],
    [
      "files",
      pinSection(
        "Files you have read or changed",
        pins.files.filter((file) => !has(file.replace(/ \([a-z]+\)$/u, ""))),
        forState,
      ),
    ],
  ];
  const missing = sections.filter(([, text]) => text !== "");
  return { text: missing.map(([, text]) => `\n\n${text}`).join(""), kinds: missing.map(([kind]) => kind) };
}

/**
 * The whole list if any todo is missing, because a partial list would look complete. Open todos come first in case not
 * all fit.
 */
function todosFor({ todos }: Pins, has: (words: string) => boolean): Pins["todos"] {
  if (todos.every(({ text }) => has(text))) return [];
  const isOpen = ({ status }: Pins["todos"][number]) => status !== "completed";
  return [...todos.filter(isOpen), ...todos.filter((todo) => !isOpen(todo))];
}

function quoteSections(
  prompts: readonly string[],
  maxChars: number,
  has: (words: string) => boolean,
): [PinKind, string][] {
  const { messages, left, rules } = quotesOf(prompts, maxChars);
  const isContained = (text: string) => text.length >= MIN_CONTAINED_CHARS && has(text);
  const missing = messages.filter((message) => !isContained(message));
  const quoted = missing.map((message) => `<message>\n${message}\n</message>`).join("\n");
  const without = left === 0 ? "" : `, ${left} in the middle left out`;
  return [
    ["messages", quoted === "" ? "" : `${QUOTES_TITLE}${without}:\n${quoted}`],
    [
      "rules",
      pinSection(
        RULES_TITLE,
        rules.filter((rule) => !isContained(rule)),
        maxChars,
      ),
    ],
  ];
}

/** As many entries as fit, one per line. */
function pinSection(title: string, entries: readonly string[], maxChars: number): string {
  let room = maxChars;
  const fitting = entries.filter((entry) => {
    room -= entry.length + 3;
    return room >= 0;
  });
  if (entries.length === 0) return "";
  const more = entries.length - fitting.length;
  return [`${title}:`, ...fitting.map((entry) => `- ${entry}`), ...(more > 0 ? [`- … and ${more} more`] : [])].join(
    "\n",
  );
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}

/** Matches whole words and paths only: `index.ts` does not occur in `src/index.ts`. */
function hasWords(text: string, words: string): boolean {
  if (words === "") return true;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const end = at + words.length;
    const isPart =
      /[\p{L}\p{N}_./-]/u.test(text.charAt(at - 1)) || /^(?:\.?[\p{L}\p{N}_]|[/-])/u.test(text.slice(end, end + 2));
    if (!isPart) return true;
  }
  return false;
}

/** Drops what a summary may change about words that it keeps: case, quotes and line breaks. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[`"'“”‘’*]/gu, "")
    .replace(/\s+/gu, " ")
    .trim();
}
