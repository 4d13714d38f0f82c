import { isAbsolute } from "node:path";
import { LogWriteError, type SessionStore } from "@harness/core";
import { statIfThere } from "@harness/host";
import { protocolError } from "@harness/protocol";
import {
  type Bundle,
  BundleError,
  importBundle,
  importFrom,
  leftText,
  readBundle,
  writeImport,
} from "@harness/storage";
import { requireDirectory } from "../files/require-directory.ts";

type ImportRequest = {
  path: string;
  /** The folder to work in; undefined: that of the session if it is here, else `otherwise`. */
  cwd: string | undefined;
  otherwise: string;
  store: SessionStore;
  now: string;
};

/** Makes a session of a bundle, or of a session of another program. Throws the errors of the wire. */
export async function importSession({ path, cwd, otherwise, store, now }: ImportRequest) {
  if (!isAbsolute(path)) throw refused(`${path} is no absolute path.`);
  if (cwd !== undefined) await requireDirectory(cwd);
  const folderOf = (own: unknown) => cwd ?? folderHere(own) ?? otherwise;
  try {
    const bundle = await readBundle(path);
    return bundle ? await fromBundle(bundle) : await fromProgram();
  } catch (error) {
    if (error instanceof BundleError) throw refused(error.message);
    if (error instanceof LogWriteError) throw protocolError("storage_failed", error.message);
    throw error;
  }

  async function fromBundle(bundle: Bundle | { problem: string }) {
    if ("problem" in bundle) throw refused(bundle.problem);
    const folder = folderOf(Object(bundle.head.session).cwd);
    return { ...(await importBundle(store, bundle, { cwd: folder, now })), cwd: folder, from: "a bundle" };
  }

  async function fromProgram() {
    const taken = importFrom(path);
    if ("problem" in taken) throw refused(taken.problem);
    const folder = folderOf(taken.cwd);
    const sessionId = await writeImport(store, taken, { cwd: folder, now });
    return { sessionId, cwd: folder, from: taken.from, messages: taken.messages.length, left: leftText(taken) };
  }
}

function folderHere(path: unknown): string | undefined {
  return typeof path === "string" && isAbsolute(path) && statIfThere(path)?.isDirectory() ? path : undefined;
}

function refused(message: string) {
  return protocolError("invalid_params", message, { issues: [{ path: "path", message }] });
}
