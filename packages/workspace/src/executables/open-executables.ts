import { join } from "node:path";
import { coreToolNames } from "@harness/core";
import { ExecutableCommands, ExecutableTools, ToolSchemas } from "@harness/extensions";
import type { Bootstrap } from "../bootstrap.ts";
import type { ProviderCredentials } from "../credentials/provider-credentials.ts";
import { EnvironmentCommand } from "../environment/environment-command.ts";
import { type ProgramEnvironment, programEnvironmentOf } from "../environment/program-environment.ts";
import { NewFiles } from "./new-files.ts";

/** The programs that people bring along as tools, and the environment in which such programs run. */
export type Executables = {
  environment: ProgramEnvironment;
  /** What folders add to it. */
  environments: EnvironmentCommand;
  executables: ExecutableTools;
  commands: ExecutableCommands;
  /** Watches for programs that the agent of a session writes in a folder. */
  newFiles(folder: string): NewFiles;
};

type ExecutablesDeps = {
  version: string;
  credentials: Pick<ProviderCredentials, "redactor">;
  onTrusted(): void;
};

export function openExecutables(
  { machine, configPaths, sources, stamps, trust, settings, inspect, report }: Bootstrap,
  { version, credentials, onTrusted }: ExecutablesDeps,
): Executables {
  const environment = programEnvironmentOf({
    version,
    configPaths,
    env: machine.env,
    sources,
    settings,
  });
  const environments = new EnvironmentCommand({
    env: machine.env,
    home: machine.home,
    stamps,
    settings: (cwd) => settings.live(cwd),
    environment,
    hide(cwd, text, secrets) {
      credentials.redactor(secrets);
      return credentials.redactor(inspect(cwd).env).hide(text);
    },
  });
  const schemas = new ToolSchemas({
    folder: join(configPaths.root, "cache", "tools"),
    environment,
    onStderr: (path, text) => report(text, `${path} --schema`),
  });
  const executables = new ExecutableTools({ sources, schemas, reserved: coreToolNames });
  const newFiles = (folder: string) => new NewFiles(folder, { sources, executables, trust, onTrusted });
  const commands = new ExecutableCommands({ sources, environment });
  return { environment, environments, executables, commands, newFiles };
}
