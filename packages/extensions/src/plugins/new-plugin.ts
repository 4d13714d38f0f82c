import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { diskProblem, errorCode, makeFolder, writeNewFile } from "@harness/host";
import { toolNameProblem } from "../tools/tool-schema.ts";
import { commandTemplates } from "./templates/command-templates.ts";
import { hookTemplates } from "./templates/hook-templates.ts";
import { providerTemplates } from "./templates/provider-templates.ts";
import { toolTemplates } from "./templates/tool-templates.ts";

export type PluginKind = "tool" | "hook" | "command" | "provider";
export type PluginLanguage = "sh" | "python" | "node";

export type NewPlugin = {
  kind: PluginKind;
  name: string;
  language: PluginLanguage;
  /** For a hook. */
  stage: string;
  /** The folder of the source that gets it. */
  folder: string;
};

const templates = { tool: toolTemplates, hook: hookTemplates, command: commandTemplates, provider: providerTemplates };

/** Why there can be no such program, or why it could not be written, as a sentence. */
export type NewPluginProblem = { kind: "invalid" | "failed"; problem: string };

/** Writes a working program. */
export function writePlugin({ kind, name, language, stage, folder }: NewPlugin): { path: string } | NewPluginProblem {
  const plain = name.replace(/^\d\d-/, "");
  const issue = toolNameProblem(plain);
  if (issue !== undefined)
    return invalid(`${JSON.stringify(name.slice(0, 80))} is not a valid name for a ${kind}: ${issue}.`);
  if (plain !== name && kind !== "hook") return invalid(`Only hooks begin with a number: call the ${kind} ${plain}.`);
  const path = join(folder, placeOf(kind, plain === name ? `50-${name}` : name, { name, stage }));
  try {
    makeFolder(dirname(path));
    writeNewFile(path, templates[kind][language].replaceAll("NAME", plain), { mode: 0o755, durable: "name" });
    return { path };
  } catch (error) {
    if (errorCode(error) === "EEXIST" && existsSync(path))
      return invalid(`${path} already exists: nothing was written.`);
    return { kind: "failed", problem: diskProblem(error, `write the ${kind} ${name}`, path) };
  }
}

function invalid(problem: string): NewPluginProblem {
  return { kind: "invalid", problem };
}

function placeOf(kind: PluginKind, hookName: string, { name, stage }: { name: string; stage: string }): string {
  return kind === "hook" ? join("hooks.d", stage, hookName) : join(`${kind}s`, name);
}
