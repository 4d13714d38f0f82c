import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { ProjectFacts } from "@harness/core";
import { isWithin } from "@harness/gate";
import { readFileStart } from "@harness/host";
import { type FolderContents, type ProjectCommands, type ProjectKind, projectKinds } from "./project-kinds.ts";

const MAX_BYTES = 64 * 1024;
/** Names come from a project file: anything else is kept out of the prompt. */
const NAME = /^[@\w][\w./@-]{0,79}$/;

/** The kind of project in a folder, and the commands to work on it; undefined: not recognised. Never fails. */
export async function readProjectFacts(cwd: string): Promise<ProjectFacts | undefined> {
  const names = new Set(await readdir(cwd).catch(() => []));
  const kinds = projectKinds.filter((kind) => shows(kind, names));
  const looked = [
    ...kinds.flatMap(({ title }) => title?.file ?? []),
    ...(kinds.length === 0 ? ["Makefile", "Justfile", "justfile"] : []),
  ];
  const folder = {
    names,
    textOf: await textsOf(
      cwd,
      looked.filter((name) => names.has(name)),
    ),
  };
  if (kinds.length === 0) return fallback(folder);
  const all = kinds.map((kind) => kind.commands(folder));
  const tools = all.flatMap(({ with: tool }) => tool ?? []);
  const name = kinds.map((kind) => titleOf(kind, folder)).find((title) => title !== undefined);
  return {
    kind: kinds.map((kind) => kind.name).join(" + "),
    ...(name === undefined ? {} : { name }),
    ...(tools.length > 0 ? { packageManager: tools.join(", ") } : {}),
    commands: { ...joinCommands(all, "build"), ...joinCommands(all, "test"), ...joinCommands(all, "run") },
  };
}

function joinCommands(all: readonly ProjectCommands[], what: keyof ProjectCommands): ProjectCommands {
  const commands = all.flatMap((each) => each[what] ?? []);
  return commands.length === 0 ? {} : { [what]: commands.slice(0, 3).join(", ") };
}

function shows({ signatures, unless = [] }: ProjectKind, names: ReadonlySet<string>): boolean {
  if (unless.some((name) => names.has(name))) return false;
  return signatures.some((signature) => {
    if (!signature.startsWith("*")) return names.has(signature);
    return [...names].some((name) => name.endsWith(signature.slice(1)) && name !== signature.slice(1));
  });
}

function titleOf({ title }: ProjectKind, { names, textOf }: FolderContents): string | undefined {
  if (!title || !names.has(title.file)) return undefined;
  const name = title.pattern.exec(textOf(title.file))?.[1];
  return name !== undefined && NAME.test(name) ? name : undefined;
}

/** If no kind is recognised, names a task file with those of its tasks that have common names. */
function fallback({ names, textOf }: FolderContents): ProjectFacts | undefined {
  const file = ["Makefile", "Justfile", "justfile"].find((name) => names.has(name));
  if (file === undefined) return undefined;
  const tasks = new Set(
    [...textOf(file).matchAll(/^([A-Za-z][\w-]*)(?![\w-])[^\n:=]*:(?!=)/gm)].map(([, task]) => task),
  );
  const command = file === "Makefile" ? "make" : "just";
  const build = tasks.has("build") ? `${command} build` : command;
  const more = (task: string) => (tasks.has(task) ? { [task]: `${command} ${task}` } : {});
  return { kind: file === "Makefile" ? "Makefile" : "Justfile", commands: { build, ...more("test"), ...more("run") } };
}

/** A link must not lead out of the folder. */
async function textsOf(cwd: string, files: readonly string[]): Promise<FolderContents["textOf"]> {
  const root = await realpath(cwd).catch(() => cwd);
  const texts = new Map<string, string>();
  await Promise.all(
    [...new Set(files)].map(async (name) => {
      const real = await realpath(join(root, name)).catch(() => undefined);
      const start = real !== undefined && isWithin(real, root) ? await readFileStart(real, MAX_BYTES) : undefined;
      texts.set(name, start?.bytes.toString("utf8") ?? "");
    }),
  );
  return (name) => texts.get(name) ?? "";
}
