/** Why a program needs a terminal, which decides the alternative to suggest. */
export type TerminalUse = "edits" | "browses" | "watches" | "repeats" | "multiplexes" | "asks";

type TerminalProgram = {
  use: TerminalUse;
  /** True if it needs no terminal with these arguments. */
  isBatch(args: readonly string[]): boolean;
};

const QUESTIONS = /^(?:--version|--help|-h|-V|-\?)$/;
/** Words in a vi command that end it. */
const QUITS = /(?:\b|^)(?:w?q|w?qa|x|xa|cq|quit|qall|quitall|wqall|xall|xit|exit|ZZ|ZQ)\b/;

const has = (pattern: RegExp) => (args: readonly string[]) =>
  args.some((each) => pattern.test(each) || QUESTIONS.test(each));
const never = has(/^$/);

/** Its own commands end it (`-c wq`), or it runs as a filter or a script. */
function isViBatch(args: readonly string[]): boolean {
  return args.some((each, at) => {
    if (
      QUESTIONS.test(each) ||
      /^-(?:[a-zA-Z]*[eE][a-zA-Z]*|[sSlr].*|-headless|-embed|-api-info|-remote.*|v)$/.test(each)
    )
      return true;
    const command = each.startsWith("+") ? each.slice(1) : /^(?:-c|--cmd)$/.test(each) ? args[at + 1] : undefined;
    return QUITS.test(command ?? (/^-c./.test(each) ? each.slice(2) : ""));
  });
}

/** The first word that is neither an option nor an option's value. */
function subcommand(args: readonly string[], withValue: RegExp): string | undefined {
  return args.find((each, at) => !each.startsWith("-") && !withValue.test(args[at - 1] ?? ""));
}

function isTmuxBatch(args: readonly string[]): boolean {
  const name = subcommand(args, /^-[cfLST]$/);
  if (name === undefined) return never(args);
  if (/^(?:new|new-session)$/.test(name)) return args.some((each) => /^-[a-zA-Z]*d/.test(each));
  return !/^(?:a|at|attach|attach-session|choose-.*|copy-mode)$/.test(name);
}

function isZellijBatch(args: readonly string[]): boolean {
  const name = subcommand(args, /^(?:-s|--session|-l|--layout|-c|--config)$/);
  return name === undefined ? never(args) : !/^(?:a|attach)$/.test(name);
}

const table: Readonly<Record<string, TerminalProgram>> = {
  "vi vim vim.basic vim.tiny vim.nox view rview rvim vimdiff nvim": { use: "edits", isBatch: isViBatch },
  "nano rnano pico micro hx helix joe jmacs jpico jstar ne mcedit": { use: "edits", isBatch: never },
  kak: { use: "edits", isBatch: has(/^-(?:f|p|l|d|n?ui|clear|version)$/) },
  emacs: { use: "edits", isBatch: has(/^--?(?:batch|script|daemon|fg-daemon|bg-daemon)(?:=|$)|^-x$/) },
  "mc ranger nnn vifm yazi tig lazygit gitui lazydocker": { use: "browses", isBatch: never },
  lf: { use: "browses", isBatch: has(/^-(?:remote|server|version|doc)/) },
  ncdu: { use: "browses", isBatch: has(/^-[a-zA-Z0-9]*[oO]/) },
  "htop btop bashtop bpytop": { use: "watches", isBatch: never },
  top: { use: "watches", isBatch: has(/^-?[a-zA-Z]*[bl]/) },
  "iotop iotop-c": { use: "watches", isBatch: has(/^-[a-zA-Z]*b|^--batch$/) },
  glances: { use: "watches", isBatch: has(/^--?(?:stdout|export|server|webserver|fetch|w|s|V)/) },
  nvtop: { use: "watches", isBatch: has(/^-[a-zA-Z]*s|^--snapshot$/) },
  "iftop nethogs": { use: "watches", isBatch: has(/^-[a-zA-Z]*t/) },
  slabtop: { use: "watches", isBatch: has(/^-[a-zA-Z]*o|^--once$/) },
  k9s: { use: "watches", isBatch: has(/^(?:version|info|help)$/) },
  watch: { use: "repeats", isBatch: has(/^-[a-z]*[gqev]|^--(?:chgexit|errexit|equexit)/) },
  tmux: { use: "multiplexes", isBatch: isTmuxBatch },
  screen: { use: "multiplexes", isBatch: has(/^-(?:[a-zA-Z]*d[a-zA-Z]*m|D|ls|list|X|Q|wipe|v$)|^-d$/) },
  zellij: { use: "multiplexes", isBatch: isZellijBatch },
  "dialog whiptail": { use: "asks", isBatch: has(/^--(?:print-|create-rc)/) },
};

const programs = new Map(
  Object.entries(table).flatMap(([names, row]) => names.split(" ").map((name) => [name, row] as const)),
);

/**
 * The use of a program that fills a terminal and waits for keys. less and man do not: without a terminal they only
 * print.
 */
export function terminalUse(name: string, args: readonly string[]): TerminalUse | undefined {
  const row = programs.get(name);
  return row && !row.isBatch(args) ? row.use : undefined;
}
