/** Words for severities in the output of compilers and linters. */
const severityWords = { error: "error", fatal: "error", warning: "warning", note: "hint", help: "hint" } as const;

/** A finding as it is printed; `column` may be absent. */
export type PrintedFinding = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly severity: "error" | "warning" | "information" | "hint";
  readonly code: string;
  readonly message: string;
};

/**
 * A form of findings in the output of programs. `line`: groups `file`, `row`, `column`, `severity`, `code` and `message`.
 * `above`: the line before it, in the same groups; for forms whose message comes first, or whose file stands above all its
 * findings.
 */
export type PrintedForm = {
  readonly programs: string;
  readonly line: RegExp;
  readonly above?: RegExp;
  /** The line above may be any number of lines away. */
  readonly isHeading?: true;
};

/** The forms that are known, the most specific first. */
export const printedForms: readonly PrintedForm[] = [
  {
    programs: "tsc",
    line: /^(?<file>\S.*?)\((?<row>\d+),(?<column>\d+)\): (?<severity>error|warning) (?<code>TS\d+): (?<message>.*)$/,
  },
  {
    programs: "tsc --pretty",
    line: /^(?<file>\S.*?):(?<row>\d+):(?<column>\d+) - (?<severity>error|warning) (?<code>TS\d+): (?<message>.*)$/,
  },
  {
    programs: "cargo check",
    above: /^(?<severity>error|warning|note|help)(?:\[(?<code>\w+)\])?: (?<message>.*)$/,
    line: /^\s*--> (?<file>\S.*?):(?<row>\d+):(?<column>\d+)$/,
  },
  {
    programs: "ruff check",
    above: /^(?<code>[A-Z]+\d+) (?:\[\*\] )?(?<message>.*)$/,
    line: /^\s*--> (?<file>\S.*?):(?<row>\d+):(?<column>\d+)$/,
  },
  {
    programs: "eslint (stylish)",
    above: /^(?<file>\/\S.*|[A-Za-z]:\\.*)$/,
    isHeading: true,
    line: /^ {2,}(?<row>\d+):(?<column>\d+) +(?<severity>error|warning) +(?<message>\S.*?)(?: {2,}(?<code>\S+))?$/,
  },
  {
    programs: "eslint --format compact",
    line: /^(?<file>\S.*?): line (?<row>\d+), col (?<column>\d+), (?<severity>Error|Warning) - (?<message>.*?)(?: \((?<code>[^\s()]+)\))?$/,
  },
  {
    programs: "eslint --format unix",
    line: /^(?<file>\S.*?):(?<row>\d+):(?<column>\d+): (?<message>.*) \[(?<severity>Error|Warning)(?:\/(?<code>[^\]]+))?\]$/,
  },
  {
    programs: "gcc, clang, mypy",
    line: /^(?<file>\S.*?):(?<row>\d+)(?::(?<column>\d+))?: (?<severity>fatal|error|warning|note)(?: error)?: (?<message>.*?)(?: {1,2}\[(?<code>[\w=,+-]+)\])?$/,
  },
  {
    programs: "cargo check --message-format short",
    line: /^(?<file>\S.*?):(?<row>\d+):(?<column>\d+): (?<severity>error|warning|note|help)(?:\[(?<code>\w+)\])?: (?<message>.*)$/,
  },
  {
    programs: "ruff check --output-format concise",
    line: /^(?<file>\S.*?):(?<row>\d+):(?<column>\d+): (?<code>[A-Z]+\d+) (?:\[\*\] )?(?<message>.*)$/,
  },
  {
    programs: "pytest",
    line: /^(?<file>\S+\.py):(?<row>\d+): (?<message>\w*(?:Error|Exception|Failed)\w*.*)$/,
  },
  {
    programs: "go build, go vet",
    line: /^(?:vet: )?(?<file>\S.*?\.\w+):(?<row>\d+):(?<column>\d+): (?<message>.*)$/,
  },
];

type Groups = Readonly<Record<string, string | undefined>>;

/** The finding in a line of output; undefined: there is none. */
export function printedFinding(groups: Groups): PrintedFinding | undefined {
  const { file, row, column, severity = "error", code = "", message } = groups;
  if (file === undefined || row === undefined || message === undefined) return undefined;
  const word = severity.toLowerCase();
  const known = Object.hasOwn(severityWords, word) ? severityWords[word as keyof typeof severityWords] : "error";
  return { file, line: Number(row), column: Number(column ?? 1), severity: known, code, message };
}
