import { shells } from "./wrapper-rows.ts";

/** Options whose value a shell or the program itself runs as a command; apart, attached, or behind `=`. */
const rows: Readonly<Record<string, RegExp>> = {
  tar: /^(?:-I|--use-compress-program|--to-command|--rsh-command|--checkpoint-action=exec|--info-script|--new-volume-script|-F)$/,
  rsync: /^(?:-[a-zA-Z]*e|--rsh|--rsync-path)$/,
  scp: /^-S$/,
  sftp: /^-[SD]$/,
  sort: /^--compress-program$/,
  split: /^--filter$/,
  zip: /^(?:-TT|--unzip-command)$/,
  man: /^(?:-P|--pager)$/,
  rg: /^(?:--pre|--hostname-bin)$/,
  gcc: /^-wrapper$/,
  cargo: /^--config$/,
  ip: /^exec$/,
};

export function commandOptions(program: string, words: readonly string[]): string[] {
  const option = rows[program];
  if (!option) return [];
  // One word alone is a program that gets a file, and no more.
  const isRun = (value: string) => program !== "rg" || /\s/.test(value);
  return words
    .flatMap((word, index) => {
      if (option.test(word)) return [words[index + 1] ?? ""];
      for (const end of [word.indexOf("="), word.lastIndexOf("="), 2]) {
        if (end > 0 && option.test(word.slice(0, end))) return [word.slice(end).replace(/^=/, "")];
      }
      return [];
    })
    .filter(isRun);
}

/** What make is told to run besides its own file: values of variables, and rules by `--eval`. */
export function makeTexts(words: readonly string[]): { code: string[]; problem?: string } {
  const code: string[] = [];
  let problem: string | undefined;
  words.forEach((word, index) => {
    const [name = "", ...value] = word.split("=");
    const text = value.join("=");
    if (/^(?:-E|--eval)$/.test(word)) code.push(afterColons(words[index + 1] ?? ""));
    else if (name === "--eval") code.push(afterColons(text));
    else if (/^\w*SHELL(?:FLAGS)?\W?$|^\.SHELLFLAGS/.test(name) && value.length > 0) {
      code.push(text);
      if (!shells.has(text.slice(text.lastIndexOf("/") + 1))) problem = "has its steps run by a program that it names";
    } else if (value.length > 0 && /\s/.test(text)) code.push(text);
  });
  return problem === undefined ? { code } : { code, problem };
}

/** The steps of a rule that stands in one line. */
function afterColons(rule: string): string {
  return rule.replace(/[:\t]/g, "\n");
}
