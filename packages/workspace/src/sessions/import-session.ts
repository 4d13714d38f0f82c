import { isAbsolute } from "node:path";
import { LogWriteError, type SessionStore } from "@harness/core";
import { statIfThere } from "@harness/host";
import { protocolError } from "@harness/protocol";
import { importFrom, leftText, writeImport } from "@harness/storage";
import { requireDirectory } from "../files/require-directory.ts";

type ImportRequest = {
  path: string;
  /** The folder to work in; undefined: that of the session if it is here, else `otherwise`. */
  cwd: string | undefined;
  otherwise: string;
  store: SessionStore;
  now: string;
};

/** Makes a session of a session of another program. Throws the errors of the wire. */
export async function importSession({ path, cwd, otherwise, store, now }: ImportRequest) {
  if (!isAbsolute(path)) throw refused(`${path} is no absolute path.`);
  if (cwd !== undefined) await requireDirectory(cwd);
  const taken = importFrom(path);
  if ("problem" in taken) throw refused(taken.problem);
  const own =
    taken.cwd !== undefined && isAbsolute(taken.cwd) && statIfThere(taken.cwd)?.isDirectory() ? taken.cwd : undefined;
  const folder = cwd ?? own ?? otherwise;
  try {
    const sessionId = writeImport(store, taken, { cwd: folder, now });
    return { sessionId, cwd: folder, from: taken.from, messages: taken.messages.length, left: leftText(taken) };
  } catch (error) {
    if (error instanceof LogWriteError) throw protocolError("storage_failed", error.message);
    throw error;
  }
}

function refused(message: string) {
  return protocolError("invalid_params", message, { issues: [{ path: "path", message }] });
}
