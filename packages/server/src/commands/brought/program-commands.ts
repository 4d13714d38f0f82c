import type { CommandSource } from "../server-command.ts";

/** `program:deploy` is the program, even if a built-in command has its name; the command line calls it like this. */
const QUALIFIED = /^program:(.+)$/;

/** Executables in `commands/`: their output is shown to the user. */
export const programCommands: CommandSource = {
  async list({ workspace }) {
    const found = await workspace.brought.commands.programs();
    return found.map(({ name, description, path, owner, shadows }) => ({
      name,
      description,
      argumentHint: "[ARGUMENTS]",
      needsSession: false,
      origin: { kind: "program" as const, owner, from: path },
      ...(shadows.length > 0 ? { shadows: [...shadows] } : {}),
    }));
  },
  find(name, { workspace }) {
    const { commands, tools } = workspace.brought;
    const command = commands.program(QUALIFIED.exec(name)?.[1] ?? name);
    if (!command) return undefined;
    return {
      description: command.path,
      needsSession: false,
      leavesLane: true,
      async run({ signal, input, cwd }, args) {
        const env = tools.programs.environment(cwd);
        return await commands.run(command, { args, input, cwd, env, signal });
      },
    };
  },
};
