import { homedir } from "node:os";
import { mayHaveProgram } from "@harness/extensions/words";
import { configPathsOf } from "@harness/storage/paths";

/** May a word of the command line be a program that people have brought along? No is certain. Loads little. */
export function mayBeProgram(word: string, cwd: string, env: NodeJS.ProcessEnv): boolean {
  const home = env.HOME ?? homedir();
  return mayHaveProgram(word, cwd, { configFolder: configPathsOf(env, home).root, home });
}
