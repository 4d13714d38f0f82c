import { homedir } from "node:os";
import { mayHaveProgram } from "@harness/extensions/words";
import { configPathsOf } from "@harness/storage/paths";

/** True if a word on the command line may be an extension program; false is certain. Loads little. */
export function mayBeProgram(word: string, cwd: string, env: NodeJS.ProcessEnv): boolean {
  const home = env.HOME ?? homedir();
  return mayHaveProgram(word, cwd, { configFolder: configPathsOf(env, home).root, home });
}
