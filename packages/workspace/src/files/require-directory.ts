import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { protocolError } from "@harness/protocol";

/** Throws `invalid_params` unless a folder in a request is an existing directory. */
export async function requireDirectory(folder: string, name = "cwd"): Promise<void> {
  const issue = !isAbsolute(folder)
    ? "must be an absolute path"
    : !(await stat(folder).catch(() => undefined))?.isDirectory()
      ? "is not an existing directory"
      : undefined;
  if (issue)
    throw protocolError("invalid_params", `${name} ${issue}: ${folder}`, { issues: [{ path: name, message: issue }] });
}
