import { join } from "node:path";
import { coreToolNames } from "@harness/core";
import { ExecutableCommands, ExecutableTools, ToolSchemas } from "@harness/extensions";
import type { Bootstrap } from "../bootstrap.ts";
import { NewFiles } from "./new-files.ts";
import { type ProgramEnvironment, programEnvironmentOf } from "./program-environment.ts";

/** The programs that people bring along as tools, and the environment in which such programs run. */
export type Executables = {
  environment: ProgramEnvironment;
  executables: ExecutableTools;
  commands: ExecutableCommands;
  /** Watches for programs that the agent of a session writes in a folder. */
  newFiles(folder: string): NewFiles;
};

export function openExecutables(
  { machine, configPaths, sources, trust, settings, report }: Bootstrap,
  { version, onTrusted }: { version: string; onTrusted(): void },
): Executables {
  const environment = programEnvironmentOf({
    version,
    configPaths,
    env: machine.env,
    sources,
    settings,
  });
  const schemas = new ToolSchemas({
    folder: join(configPaths.root, "cache", "tools"),
    environment,
    onStderr: (path, text) => report(text, `${path} --schema`),
  });
  const executables = new ExecutableTools({ sources, schemas, reserved: coreToolNames });
  const newFiles = (folder: string) => new NewFiles(folder, { sources, executables, trust, onTrusted });
  const commands = new ExecutableCommands({ sources, environment });
  return { environment, executables, commands, newFiles };
}
