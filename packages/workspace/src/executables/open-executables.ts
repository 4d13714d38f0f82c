import { join } from "node:path";
import { coreToolNames } from "@harness/core";
import { ExecutableCommands, ExecutableTools, type SourceInventory, ToolSchemas } from "@harness/extensions";
import { PATIENCE_MS } from "@harness/host";
import type { ConfigPaths } from "@harness/storage";
import type { ProgramEnvironment } from "../environment/program-environment.ts";
import type { Executables } from "./folder-programs.ts";

type ExecutablesOptions = {
  configPaths: ConfigPaths;
  sources: SourceInventory;
  environment: ProgramEnvironment;
  report(error: unknown, where: string): void;
};

/** Programs that serve as tools and commands, for all folders. */
export function openExecutables({ configPaths, sources, environment, report }: ExecutablesOptions): Executables {
  const schemas = new ToolSchemas({
    folder: join(configPaths.root, "cache", "tools"),
    environment,
    onStderr: (path, text) => report(text, `${path} --schema`),
  });
  return {
    environment,
    tools: new ExecutableTools({ sources, schemas, reserved: coreToolNames, patienceMs: PATIENCE_MS }),
    commands: new ExecutableCommands({ sources, environment }),
  };
}
