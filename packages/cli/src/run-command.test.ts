import { expect, it, vi } from "vitest";
import { type CommandDeps, runCommandLine } from "./run-command.ts";

function parts(isProgram: boolean) {
  const never = () => Promise.reject(new Error("not in this test"));
  const composeServer = vi.fn<CommandDeps["composeServer"]>(never);
  return {
    composeServer,
    mayBeProgram: async () => isProgram,
    windowForm: async () => "screen" as const,
    serveAcp: never,
    serve: { stdio: never, listening: never, web: never },
    runWindow: never,
    storeService: never,
  };
}

it("a first word that no file is the name of composes no server to find that out", async () => {
  const out = vi.spyOn(process.stdout, "write").mockImplementation((_text, done) => {
    (done as (() => void) | undefined)?.();
    return true;
  });
  const asked = parts(false);
  expect(await runCommandLine(["version"], asked)).toBe(0);
  out.mockRestore();
  expect(asked.composeServer).not.toHaveBeenCalled();
  const other = parts(true);
  await expect(runCommandLine(["version"], other)).rejects.toThrow("not in this test");
  expect(other.composeServer).toHaveBeenCalledTimes(1);
});
