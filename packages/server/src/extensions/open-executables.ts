import { join } from "node:path";
import { coreToolNames } from "@harness/core";
import { ExecutableTools, ToolSchemas } from "@harness/extensions";
import type { Bootstrap } from "../bootstrap.ts";
import { type ProgramEnvironment, programEnvironmentOf } from "./program-environment.ts";

/** The programs that people bring along as tools, and the environment in which such programs run. */
export type Executables = { environment: ProgramEnvironment; executables: ExecutableTools };

export function openExecutables(
  { machine, configPaths, sources, settings, report }: Bootstrap,
  version: string,
): Executables {
  const environment = programEnvironmentOf({
    version,
    configPaths,
    env: machine.env,
    sources,
    passEnv: (cwd) => settings.live(cwd).values.pass_env,
  });
  const schemas = new ToolSchemas({
    folder: join(configPaths.root, "cache", "tools"),
    environment,
    onStderr: (path, text) => report(text, `${path} --schema`),
  });
  return { environment, executables: new ExecutableTools({ sources, schemas, reserved: coreToolNames }) };
}
