import { operandsOf } from "../programs/arguments/operands.ts";
import { writtenBy } from "../programs/written-files.ts";
import { type FoundCommand, isUnknown, type Place, pathOf, viewOf } from "./found-command.ts";

/**
 * Absolute paths that a command reads and writes, as far as its words and redirections tell. `open`: folders, or beginnings of
 * paths, below which it writes files that they do not tell.
 */
export type FileReach = { reads: string[]; writes: string[]; open: string[] };

/** Options with a value of programs whose operands are files, so that the value is not taken for one. */
const valued: Readonly<Record<string, RegExp>> = {
  head: /^(?:-[nc]|--lines|--bytes)$/,
  tail: /^(?:-[ncs]|--lines|--bytes|--pid)$/,
  cp: /^(?:-[St]|--target-directory|--suffix)$/,
  mv: /^(?:-[St]|--target-directory|--suffix)$/,
  ln: /^(?:-[St]|--target-directory|--suffix)$/,
  install: /^(?:-[mogtS]|--mode|--owner|--group|--target-directory)$/,
  truncate: /^(?:-[sr]|--size|--reference)$/,
  touch: /^(?:-[drt]|--date|--reference)$/,
  mkdir: /^(?:-m|--mode)$/,
  sed: /^(?:-[efl]|--expression|--file)$/,
  perl: /^-[a-zA-Z0]*[eE]$/,
  sort: /^(?:-[kotST]|--key|--output|--field-separator)$/,
  cut: /^-[bcdf]$/,
  shred: /^-[ns]$/,
  rsync: /^(?:-[efM]|--exclude|--include|--rsh|--filter|--exclude-from|--files-from|--chmod)$/,
};

const everyOperand =
  /^(?:rm|rmdir|unlink|shred|touch|mkdir|truncate|tee|mv|gzip|gunzip|bzip2|bunzip2|xz|unxz|zstd|mkfifo|mknod|srm|trash)$/;
const laterOperands = /^(?:chmod|chown|chgrp|chattr|setfacl)$/;
const lastOperand = /^(?:cp|ln|install|rsync|scp)$/;
const readers =
  /^(?:cat|head|tail|less|more|wc|sort|uniq|nl|tac|rev|od|xxd|hexdump|strings|base64|base32|md5sum|sha\d*sum|cksum|cmp|diff|file|stat|cut|paste|column|source|\.|bat|grep|egrep|fgrep|rg|jq|yq|sed|awk|gawk)$/;
/** Their first operand is a pattern or a program, not a file. */
const patternFirst = /^(?:grep|egrep|fgrep|rg|jq|yq|sed|awk|gawk)$/;
/** Options of any program that name a file to write. */
const outputs: Readonly<Record<string, RegExp>> = {
  curl: /^(?:-[a-zA-Z]*o|--output|-[a-zA-Z]*D|--dump-header|-[a-zA-Z]*c|--cookie-jar|--trace|--trace-ascii|--output-dir|--stderr)$/,
  wget: /^(?:-[a-zA-Z]*[OoaP]|--output-document|--output-file|--append-output|--directory-prefix)$/,
  sort: /^(?:-[a-zA-Z]*o|--output)$/,
  tar: /^(?:-C|--directory)$/,
  unzip: /^-d$/,
  find: /^-(?:fprint0?|fprintf|fls)$/,
  gcc: /^-o$/,
  cc: /^-o$/,
  clang: /^-o$/,
  ld: /^-o$/,
  go: /^-o$/,
  patch: /^(?:-o|--output)$/,
  openssl: /^-(?:out|keyout)$/,
  "ssh-keygen": /^-f$/,
};
const sources: Readonly<Record<string, RegExp>> = {
  curl: /^(?:-T|--upload-file|-K|--config|-b|--cookie|--cert|--key)$/,
  wget: /^--(?:post-file|body-file|input-file)$/,
  openssl: /^-in$/,
  psql: /^-f$/,
};

/** What variables are given in plain words anywhere in the line, by their names. */
type Variables = ReadonlyMap<string, readonly string[]>;

const MAX_VALUES = 4;

export function variablesOf(commands: readonly FoundCommand[]): Variables {
  const values = new Map<string, string[]>();
  for (const { assignments, words } of commands) {
    const declared = /^(?:export|declare|typeset|readonly|local)$/.test(words[0]?.text ?? "") ? words.slice(1) : [];
    for (const each of [...assignments, ...declared.map(({ text }) => text)]) {
      const [, name = "", value = ""] = /^([A-Za-z_]\w*)=([\s\S]+)$/.exec(each) ?? [];
      const plain = value.replace(/["'\\]/g, "");
      if (name === "" || plain.length > 300 || isUnknown(plain)) continue;
      values.set(name, [...(values.get(name) ?? []), plain].slice(0, MAX_VALUES));
    }
  }
  return values;
}

/** The word with the variables in it put in, once for each value. */
function filledIn(text: string, values: Variables): string[] {
  if (values.size === 0 || !isUnknown(text)) return [text];
  let texts = [text];
  for (const [sign, braced, plain] of text.slice(0, 300).matchAll(/\$(?:\{(\w+)\}|(\w+))/g)) {
    const given = values.get(braced ?? plain ?? "");
    if (given) texts = texts.flatMap((each) => given.map((value) => each.replace(sign, () => value)));
    if (texts.length > MAX_VALUES * MAX_VALUES) return [text];
  }
  return texts;
}

export function fileReach(command: FoundCommand, place: Place, values: Variables = new Map()): FileReach {
  const reach: FileReach = { reads: [], writes: [], open: [] };
  const add = (list: string[], text: string) => {
    for (const each of filledIn(text, values))
      if (each !== "" && each !== "-" && !isUnknown(each)) list.push(pathOf(each, command.cwd, place));
  };
  const write = (text: string) => {
    add(reach.writes, text);
    const known = literalFolder(text);
    if (known !== undefined) reach.open.push(pathOf(known, command.cwd, place));
  };
  for (const { operator, target } of command.redirects) {
    if (operator.includes("<<") || (/[<>]&$/.test(operator) && /^(?:\d+-?|-|)$/.test(target.text))) continue;
    if (operator.includes(">")) write(target.text);
    if (operator.includes("<")) add(reach.reads, target.text);
  }
  const [program = "", ...rest] = viewOf(command);
  const { written, read } = namedFiles(program, rest);
  const isRemote = (word: string) => /^(?:scp|rsync)$/.test(program) && /^[^/]*:/.test(word);
  const own = writtenBy(program, rest);
  for (const each of [...written, ...own.files].filter((word) => !isRemote(word))) write(each);
  for (const each of own.folders.filter((word) => !isRemote(word)))
    reach.open.push(pathOf(literalFolder(each) ?? each, command.cwd, place));
  for (const each of read.filter((word) => !isRemote(word))) add(reach.reads, each);
  return reach;
}

/** The folder before what only a run shows, or what stands for several names; undefined: all of it is known. */
function literalFolder(text: string): string | undefined {
  if (!isUnknown(text) && !/[*?[{]/.test(text)) return undefined;
  const open = text.search(/[*?[{`]|\$(?!(?:HOME|PWD)\b|\{(?:HOME|PWD)\})|[<>]\(/);
  const known = text.slice(0, Math.max(open, 0));
  // Nothing before it: it may lead anywhere.
  if (known === "") return isUnknown(text) ? "/" : ".";
  return known.includes("/") ? known.slice(0, known.lastIndexOf("/")) || "/" : ".";
}

type Named = { written: string[]; read: string[] };

function namedFiles(program: string, rest: readonly string[]): Named {
  const files = operandsOf(rest, valued[program] ?? outputs[program]);
  const named: Named = { written: valuesOf(outputs[program], rest), read: valuesOf(sources[program], rest) };
  if (everyOperand.test(program)) named.written.push(...files);
  else if (laterOperands.test(program)) named.written.push(...files.slice(1));
  else if (lastOperand.test(program)) {
    const folder = valuesOf(/^(?:-t|--target-directory)$/, rest);
    named.written.push(...(folder.length > 0 ? folder : files.slice(-1)));
    named.read.push(...(folder.length > 0 ? files : files.slice(0, -1)));
  } else if (program === "dd") {
    named.written.push(...rest.flatMap((word) => (word.startsWith("of=") ? [word.slice(3)] : [])));
    named.read.push(...rest.flatMap((word) => (word.startsWith("if=") ? [word.slice(3)] : [])));
  } else if (editsInPlace(program, rest)) named.written.push(...(program === "perl" ? files : files.slice(1)));
  else if (program === "tar") named.written.push(...archiveOf(rest));
  else if (program === "zip" || program === "7z") named.written.push(...files.slice(0, 1));
  if (program === "mv") named.read.push(...files);
  if (readers.test(program)) named.read.push(...(patternFirst.test(program) ? files.slice(1) : files));
  if (program === "curl") named.read.push(...atFiles(rest));
  return named;
}

function editsInPlace(program: string, rest: readonly string[]): boolean {
  if (program === "sed" || program === "gsed") return rest.some((word) => /^-[a-zA-Z]*i|^--in-place/.test(word));
  if (program === "perl" || program === "ruby") return rest.some((word) => /^-[a-zA-Z0]*i/.test(word));
  return /^g?awk$/.test(program) && rest.some((word, index) => word === "inplace" && rest[index - 1] === "-i");
}

/** `tar -cf x.tar`, `tar czf x.tgz`. */
function archiveOf(rest: readonly string[]): string[] {
  const index = rest.findIndex((word, at) =>
    (at === 0 ? /^-?[a-zA-Z]*c[a-zA-Z]*f$/ : /^-[a-zA-Z]*c[a-zA-Z]*f$/).test(word),
  );
  return index < 0 ? [] : [rest[index + 1] ?? ""];
}

/** `-d @file`, `-F name=@file`: what is sent. */
function atFiles(rest: readonly string[]): string[] {
  return rest.flatMap((word) => /^(?:-[dF]|--(?:data|form)[a-z-]*=)?(?:[^=@]*=)?@(.+)$/.exec(word)?.[1] ?? []);
}

/** Values of options, apart (`-o x`), attached (`-ox`) or behind `=`. */
function valuesOf(option: RegExp | undefined, rest: readonly string[]): string[] {
  if (!option) return [];
  return rest.flatMap((word, index) => {
    if (option.test(word)) return [rest[index + 1] ?? ""];
    const [name = "", ...value] = word.split("=");
    if (word.startsWith("--")) return value.length > 0 && option.test(name) ? [value.join("=")] : [];
    return /^-[a-zA-Z]./.test(word) && option.test(word.slice(0, 2)) ? [word.slice(2)] : [];
  });
}
