import {
  type DefinitionSet,
  type Definitions,
  type ExecutableCommands,
  type ReadCommand,
  splitShellWords,
} from "@harness/extensions";

type Call = Omit<Parameters<ExecutableCommands["run"]>[1], "args"> & { args: string };

/** The user's and projects' slash commands for a folder. */
export class FolderCommands {
  readonly #folder: string;
  readonly #written: Pick<Definitions<ReadCommand>, "at">;
  readonly #programs: ExecutableCommands;

  constructor(folder: string, written: Pick<Definitions<ReadCommand>, "at">, programs: ExecutableCommands) {
    this.#folder = folder;
    this.#written = written;
    this.#programs = programs;
  }

  /** Commands written as Markdown files. The same object until something changes. Never throws. */
  get written(): DefinitionSet<ReadCommand> {
    return this.#written.at(this.#folder);
  }

  /** Commands that are programs, each with its own description. Never rejects. */
  programs(): ReturnType<ExecutableCommands["list"]> {
    return this.#programs.list(this.#folder);
  }

  /** A program by the name of its command. */
  program(name: string): ReturnType<ExecutableCommands["find"]> {
    return this.#programs.find(name, this.#folder);
  }

  /** Runs a program to its end; `args` is split as a shell would. Never rejects. */
  run(
    command: Parameters<ExecutableCommands["run"]>[0],
    { args, ...call }: Call,
  ): ReturnType<ExecutableCommands["run"]> {
    return this.#programs.run(command, { ...call, args: splitShellWords(args) });
  }
}
