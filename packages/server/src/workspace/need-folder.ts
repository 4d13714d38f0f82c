import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { protocolError } from "@harness/protocol";

/** A folder that a request names must be there; `invalid_params` otherwise. */
export async function needFolder(cwd: string): Promise<void> {
  const issue = !isAbsolute(cwd)
    ? "must be an absolute path"
    : !(await stat(cwd).catch(() => undefined))?.isDirectory()
      ? "is not a folder that exists"
      : undefined;
  if (issue)
    throw protocolError("invalid_params", `cwd ${issue}: ${cwd}`, { issues: [{ path: "cwd", message: issue }] });
}
