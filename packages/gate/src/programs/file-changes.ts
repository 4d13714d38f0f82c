import { foldersAmong } from "./arguments/folders.ts";
import { firstValue, isLong, operandsOf } from "./arguments/operands.ts";
import type { FileWords, Programs } from "./program.ts";

const isRecursive = (args: readonly string[]) =>
  args.some((word) => /^-[a-zA-Z]*[rR][a-zA-Z]*$/.test(word) || isLong(word, "--recursive"));

/** A recursive change affects everything in the folders. */
const wholeFolders =
  (recursive: RegExp) =>
  (args: readonly string[]): Partial<FileWords> =>
    args.some((word) => recursive.test(word)) ? { folders: operandsOf(args) } : {};

const target = /^(?:-[St]|--target-directory|--suffix)$/;
const removedTrees = wholeFolders(/^(?:-[a-zA-Z]*[rR]|--r)/);
const changedTrees = wholeFolders(/^(?:-[a-zA-Z]*R|--r)/);
const rightsOfFolders = (args: readonly string[]) =>
  isRecursive(args) ? "changes the permissions of whole folders" : undefined;
const destroys = "destroys the contents of files";

/** The last operand, and everything written below it. */
function copiedTo(args: readonly string[]): Partial<FileWords> {
  const [last] = operandsOf(args, /^-[St]$/).slice(-1);
  const isTree = args.some((word) => /^-[a-zA-Z]*[rRa]|^--(?:r|a)/.test(word));
  return isTree && last !== undefined ? { folders: [last] } : {};
}

function copiedFrom(args: readonly string[]): string[] {
  return args.some((word) => /^-[a-zA-Z]*[rRa]|^--(?:r|a)/.test(word)) ? foldersAmong(args, target) : [];
}

/** The files that a patch names are only known when it is read. */
function patched(args: readonly string[]): Partial<FileWords> {
  if (args.includes("--dry-run")) return {};
  const [file] = operandsOf(args, /^-[pidDBoFgrVYz]$/);
  const folder = firstValue(args, "-d --directory");
  if (file === undefined) return { folders: [folder ?? "."] };
  return { written: [folder === undefined ? file : `${folder}/${file}`] };
}

const valuesBehind = (args: readonly string[], name: string) =>
  args.flatMap((word) => (word.startsWith(name) ? [word.slice(name.length)] : []));

/** Programs that create, change, move and remove files. */
export const fileChanges: Programs = {
  rm: {
    replaces: true,
    opensNothing: true,
    writes: "all",
    removes: true,
    files: removedTrees,
    wholeFolders: "recursive",
    risk: (args) => (isRecursive(args) ? "removes folders with everything in them" : undefined),
    destructive: true,
    wide: true,
    plainWords: true,
    longNames: true,
  },
  rmdir: {
    replaces: true,
    opensNothing: true,
    writes: "all",
    removes: true,
    wholeFolders: "recursive",
    destructive: true,
    wide: true,
    plainWords: true,
  },
  unlink: { replaces: true, opensNothing: true, writes: "all", removes: true, destructive: true, wide: true },
  "srm trash": { replaces: true, opensNothing: true, writes: "all", removes: true, destructive: true },
  "rimraf del-cli": { destructive: true },
  shred: {
    replaces: true,
    opensNothing: true,
    writes: "all",
    removes: true,
    valued: /^-[ns]$/,
    wholeFolders: "recursive",
    risk: destroys,
    destructive: true,
    wide: true,
    longNames: true,
  },
  truncate: {
    opensNothing: true,
    writes: "all",
    valued: /^(?:-[sr]|--size|--reference)$/,
    risk: destroys,
    destructive: true,
    wide: true,
    longNames: true,
  },
  mv: {
    replaces: true,
    writes: "all",
    valued: target,
    files: (args) => ({ read: operandsOf(args, target), folders: operandsOf(args, /^-[St]$/) }),
    wholeFolders: "always",
    destructive: true,
    wide: true,
    plainWords: true,
    longNames: true,
  },
  cp: {
    replaces: (args) => args.some((word) => isLong(word, "--remove-destination")),
    opens: copiedFrom,
    writes: "last",
    valued: target,
    files: copiedTo,
    wide: true,
    plainWords: true,
    longNames: true,
  },
  ln: { replaces: true, writes: "last", valued: target, wide: true, plainWords: true, longNames: true },
  install: {
    replaces: true,
    writes: "last",
    valued: /^(?:-[mogtS]|--mode|--owner|--group|--target-directory)$/,
    wide: true,
  },
  mkdir: { opensNothing: true, writes: "all", valued: /^(?:-m|--mode)$/, plainWords: true },
  touch: { opensNothing: true, writes: "all", valued: /^(?:-[drt]|--date|--reference)$/, plainWords: true },
  tee: { opensNothing: true, writes: "all", wide: true, plainWords: true },
  "mkfifo mknod": { replaces: true, opensNothing: true, writes: "all" },
  "chmod chown": {
    replaces: true,
    opensNothing: true,
    writes: "later",
    files: changedTrees,
    wholeFolders: "recursive",
    risk: rightsOfFolders,
    wide: true,
    plainWords: true,
    longNames: true,
  },
  chgrp: {
    replaces: true,
    opensNothing: true,
    writes: "later",
    wholeFolders: "recursive",
    risk: rightsOfFolders,
    wide: true,
    longNames: true,
  },
  "chattr setfacl": { replaces: true, opensNothing: true, writes: "later" },
  dd: {
    files: (args) => ({ written: valuesBehind(args, "of="), read: valuesBehind(args, "if=") }),
    danger: (args) => (args.some((word) => word.startsWith("of=")) ? "writes to a device or over a file" : undefined),
    destructive: true,
    wide: true,
  },
  patch: { replaces: true, outputs: "-o --output", files: patched, wide: true },
};
