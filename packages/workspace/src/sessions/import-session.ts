import { isAbsolute } from "node:path";
import { LogWriteError, type SessionStore } from "@harness/core";
import { statIfThere } from "@harness/host";
import { protocolError } from "@harness/protocol";
import { type Bundle, importBundle, importFrom, leftText, readBundle, writeImport } from "@harness/storage";
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
  const bundle = readBundle(path);
  if (bundle) return fromBundle(bundle, { cwd, otherwise, store, now });
  const taken = importFrom(path);
  if ("problem" in taken) throw refused(taken.problem);
  const folder = cwd ?? folderHere(taken.cwd) ?? otherwise;
  try {
    const sessionId = writeImport(store, taken, { cwd: folder, now });
    return { sessionId, cwd: folder, from: taken.from, messages: taken.messages.length, left: leftText(taken) };
  } catch (error) {
    if (error instanceof LogWriteError) throw protocolError("storage_failed", error.message);
    throw error;
  }
}

function fromBundle(bundle: Bundle | { problem: string }, { cwd, otherwise, store, now }: Omit<ImportRequest, "path">) {
  if ("problem" in bundle) throw refused(bundle.problem);
  const folder = cwd ?? folderHere(Object(bundle.head.session).cwd) ?? otherwise;
  try {
    return { ...importBundle(store, bundle, { cwd: folder, now }), cwd: folder, from: "a bundle" };
  } catch (error) {
    if (error instanceof LogWriteError) throw protocolError("storage_failed", error.message);
    throw error;
  }
}

function folderHere(path: unknown): string | undefined {
  return typeof path === "string" && isAbsolute(path) && statIfThere(path)?.isDirectory() ? path : undefined;
}

function refused(message: string) {
  return protocolError("invalid_params", message, { issues: [{ path: "path", message }] });
}
