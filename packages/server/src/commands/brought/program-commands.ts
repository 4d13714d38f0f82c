import { type ExecutableCommands, splitWords } from "@harness/extensions";
import type { ProgramEnvironment } from "@harness/workspace";
import type { CommandSource } from "../server-command.ts";

/** `program:deploy` is the program, also where a built-in command has its name: so the command line calls it. */
const QUALIFIED = /^program:(.+)$/;

/** Executables that people have put into `commands/`: what they print is shown to the person. */
export function programCommands(commands: ExecutableCommands, environment: ProgramEnvironment): CommandSource {
  return {
    async list(cwd) {
      const found = await commands.list(cwd);
      return found.map(({ name, description, path, owner, shadows }) => ({
        name,
        description,
        argumentHint: "[ARGUMENTS]",
        needsSession: false,
        origin: { kind: "program" as const, owner, from: path },
        ...(shadows.length > 0 ? { shadows: [...shadows] } : {}),
      }));
    },
    find(name, cwd) {
      const command = commands.find(QUALIFIED.exec(name)?.[1] ?? name, cwd);
      if (!command) return undefined;
      return {
        description: command.path,
        needsSession: false,
        leavesLane: true,
        async run({ signal, input }, args) {
          const env = environment(cwd);
          return await commands.run(command, { args: splitWords(args), input, cwd, env, signal });
        },
      };
    },
  };
}
