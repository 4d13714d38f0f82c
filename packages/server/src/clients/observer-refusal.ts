import { type ProtocolError, protocolError, requestRow, serverMethods } from "@harness/protocol";

/** The folder of the server, and the open sessions. */
type Host = {
  identity: { cwd: string };
  sessions: { live: { get(id: string): object | undefined; all(): readonly { log: { header: { cwd: string } } }[] } };
};

/**
 * Why an observer may not have this, according to the method's row and the parameters; undefined: it may. It attaches
 * to open sessions and reads them: it changes nothing, and sees no folder except those that sessions work in.
 */
export function observerRefusal(host: Host, method: string, params: unknown): ProtocolError | undefined {
  const what = forbidden(host, method, Object(params));
  if (what === undefined) return undefined;
  return protocolError("permission_denied", `An observer may not ${what}; initialize with role "controller".`, {});
}

function forbidden(
  { identity, sessions: { live } }: Host,
  method: string,
  params: Readonly<Record<string, unknown>>,
): string | undefined {
  const row = requestRow(serverMethods, method);
  if (!row) return undefined;
  if (row.access === "control") return `call ${method}`;
  const param = row.control?.find((name) => params[name] !== undefined);
  if (param !== undefined) return `call ${method} with \`${param}\``;
  const { cwd, sessionId } = params;
  // Opening one may continue its work.
  if (method === "session/resume" && !live.get(String(sessionId)))
    return "open a stored session, which session/history reads";
  const isKnown = cwd === undefined || cwd === identity.cwd || live.all().some(({ log }) => log.header.cwd === cwd);
  return isKnown ? undefined : `ask about ${String(cwd)}, where no open session works`;
}
