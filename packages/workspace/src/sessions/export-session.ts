import { isAbsolute } from "node:path";
import { type FactPages, factsOf, type SessionHeader } from "@harness/core";
import { diskProblem, errorCode, writePieces } from "@harness/host";
import { amount, type ExportFormatName, protocolError } from "@harness/protocol";
import { type ExportSource, exportWriters, type MovingCheckpoints } from "@harness/storage";
import type { Workspace } from "../workspace.ts";

/** A longer text goes into a file. */
const MAX_TEXT_CHARS = 8_000_000;

/** A session to be exported, and the workspace of its folder, which knows its secrets. */
export type ExportRequest = {
  header: SessionHeader;
  title: string | undefined;
  pages: FactPages;
  /** The folders of its saved texts. */
  savedTexts: readonly string[];
  workspace: Workspace;
  /** Of harness. */
  version: string;
  format: ExportFormatName;
  /** With secrets. */
  raw?: boolean | undefined;
};

/** Writes a session into a file that must be new unless `replace` says otherwise. Throws the errors of the wire. */
export async function exportToFile(
  request: ExportRequest,
  { path, replace = false }: { path: string; replace?: boolean | undefined },
): Promise<{ path: string; bytes: number; left?: string }> {
  if (!isAbsolute(path)) {
    const message = `${path} is no absolute path.`;
    throw protocolError("invalid_params", message, { issues: [{ path: "path", message }] });
  }
  const left: string[] = [];
  const leave = (sentence: string) => left.push(sentence);
  const checkpoints = request.format === "bundle" ? await checkpointsOf(request, leave) : undefined;
  const loaded = await exportWriters[request.format].load?.();
  const pieces = piecesOf(request, { leave, checkpoints, ...loaded });
  try {
    const bytes = await writePieces(path, pieces, { replace });
    return { path, bytes, ...(left.length > 0 ? { left: left.join("\n") } : {}) };
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    if (errorCode(error) === "EEXIST") {
      const isInTheWay = replace ? "is not a regular file" : "exists";
      throw protocolError("conflict", `Nothing was written: ${path} ${isInTheWay}.`, {});
    }
    throw protocolError("storage_failed", diskProblem(error, "write the conversation", path));
  } finally {
    checkpoints?.close();
  }
}

/** The same as text. */
export async function exportToText(request: ExportRequest): Promise<{ text: string; bytes: number }> {
  if (request.format === "bundle") {
    const message = "A bundle is not a text: name a file.";
    throw protocolError("invalid_params", message, { issues: [{ path: "path", message }] });
  }
  const loaded = await exportWriters[request.format].load?.();
  let text = "";
  for (const piece of piecesOf(request, { leave: () => undefined, checkpoints: undefined, ...loaded })) {
    text += piece;
    if (text.length > MAX_TEXT_CHARS) {
      const message = `Session ${request.header.sessionId} is too long for a text: name a file.`;
      throw protocolError("invalid_params", message, { issues: [{ path: "path", message }] });
    }
  }
  return { text, bytes: Buffer.byteLength(text) };
}

/** The format of a file by its ending, the longest that fits; undefined: no format has it. */
export function formatOfFile(path: string): ExportFormatName | undefined {
  const name = path.toLowerCase();
  const fitting = (Object.keys(exportWriters) as ExportFormatName[]).filter((format) =>
    name.endsWith(exportWriters[format].ending),
  );
  const endingOf = (format: ExportFormatName) => exportWriters[format].ending.length;
  return fitting.sort((one, other) => endingOf(other) - endingOf(one))[0];
}

/** The states of its files that facts name, packed; `leave` gets sentences on those that cannot come along. */
async function checkpointsOf(
  { pages, workspace, raw }: ExportRequest,
  leave: (sentence: string) => void,
): Promise<MovingCheckpoints | undefined> {
  const checkpointIds = new Set<string>();
  for (const { update } of factsOf(pages, { kinds: ["checkpoint", "turn_changes", "rewind_update"] })) {
    if (update.sessionUpdate === "checkpoint") checkpointIds.add(update.checkpointId);
    if (update.sessionUpdate !== "turn_changes" && update.sessionUpdate !== "rewind_update") continue;
    for (const id of [update.before, update.after]) if (id !== undefined) checkpointIds.add(id);
  }
  if (checkpointIds.size === 0) return undefined;
  const redactor = workspace.safety.redactor();
  const hide = (text: string) => (raw === true ? text : redactor.hide(text));
  const packed = await workspace.files.packCheckpoints({ checkpointIds, hide });
  if (!packed) return undefined;
  if ("problem" in packed) {
    leave(`Its turns cannot be undone elsewhere: ${packed.problem}`);
    return undefined;
  }
  const { lost, leftOut } = packed;
  if (lost > 0)
    leave(
      `${amount(lost, "state")} of its files ${lost === 1 ? "is" : "are"} no longer stored: some turns cannot be undone elsewhere.`,
    );
  if (leftOut > 0)
    leave(`${amount(leftOut, "content")} of files with secrets ${leftOut === 1 ? "was" : "were"} left out of undo.`);
  return packed;
}

function piecesOf(
  { format, raw, workspace, ...session }: ExportRequest,
  more: Pick<ExportSource, "leave" | "checkpoints" | "markdown">,
): Iterable<string | Uint8Array> {
  const { facts } = session.pages.read({ kinds: ["user_message", "agent_message"], limit: 1 });
  if (facts.length === 0) throw protocolError("conflict", "There is nothing to export yet.", {});
  const redactor = workspace.safety.redactor();
  const hiding = raw === true ? { hide: (text: string) => text, open: () => 0 } : redactor;
  return exportWriters[format].write({ ...session, hide: hiding.hide, open: (text) => hiding.open(text), ...more });
}
