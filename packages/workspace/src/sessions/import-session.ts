import { isAbsolute } from "node:path";
import { LogWriteError, type SessionStore } from "@harness/core";
import { diskProblem, errorCode, statIfThere } from "@harness/host";
import { protocolError } from "@harness/protocol";
import {
  type Bundle,
  BundleError,
  importBundle,
  importFrom,
  leftText,
  readBundle,
  readOwnSession,
  type TakeCheckpoints,
  writeImport,
} from "@harness/storage";
import { requireDirectory } from "../files/require-directory.ts";

type ImportRequest = {
  path: string;
  /** The folder to work in; undefined: that of the session if it is here, else `otherwise`. */
  cwd: string | undefined;
  otherwise: string;
  store: SessionStore;
  /** Puts states of files into the store of a folder. */
  takeCheckpoints(cwd: string, pack: Parameters<TakeCheckpoints>[0]): ReturnType<TakeCheckpoints>;
  now: string;
};

/** Makes a session of a bundle, or of a session of another program. Throws the errors of the wire. */
export async function importSession({ path, cwd, otherwise, store, takeCheckpoints, now }: ImportRequest) {
  if (!isAbsolute(path)) throw refused(`${path} is no absolute path.`);
  if (cwd !== undefined) await requireDirectory(cwd);
  const folderOf = (own: unknown) => cwd ?? folderHere(own) ?? otherwise;
  try {
    if (!statIfThere(path))
      throw refused(`There is no ${path}. harness session import --list shows what can be imported.`);
    const bundle = isFolder(path) ? readOwnSession(path) : ((await readBundle(path)) ?? readOwnSession(path));
    return bundle ? await fromBundle(bundle) : await fromProgram();
  } catch (error) {
    if (error instanceof BundleError) throw refused(error.message);
    if (error instanceof LogWriteError) throw protocolError("storage_failed", error.message);
    if (errorCode(error) !== undefined) throw refused(diskProblem(error, "import a session", path));
    throw error;
  }

  async function fromBundle(bundle: Bundle | { problem: string }) {
    if ("problem" in bundle) throw refused(bundle.problem);
    const folder = folderOf(Object(bundle.head.session).cwd);
    const take: TakeCheckpoints = (pack) => takeCheckpoints(folder, pack);
    const imported = await importBundle(store, bundle, { cwd: folder, now, takeCheckpoints: take });
    return { ...imported, isKnown: false, earlier: [], cwd: folder, from: bundle.from };
  }

  async function fromProgram() {
    const taken = importFrom(path);
    if ("problem" in taken) throw refused(taken.problem);
    const folder = folderOf(taken.cwd);
    const written = await writeImport(store, taken, { cwd: folder, now });
    return { ...written, cwd: folder, from: taken.from, messages: taken.messageCount, left: leftText(taken) };
  }
}

function isFolder(path: string): boolean {
  return statIfThere(path)?.isDirectory() === true;
}

function folderHere(path: unknown): string | undefined {
  return typeof path === "string" && isAbsolute(path) && isFolder(path) ? path : undefined;
}

function refused(message: string) {
  return protocolError("invalid_params", message, { issues: [{ path: "path", message }] });
}
