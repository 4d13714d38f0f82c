/** A connection's state in sentences; `reason` as the transport words it. */
export type LinkTexts = {
  readonly connecting: string;
  waiting(reason: string, attempt: { at: number; of: number }): string;
  failed(reason: string): string;
};

/** The server is a process of this program: where it is lost, it has ended. */
export const ownServerTexts: LinkTexts = {
  connecting: "The server stopped; restarting. Saved messages are safe.",
  waiting: (reason, { at, of }) => `The server stopped (${reason}). Restarting, attempt ${at} of ${of}.`,
  failed: (reason) => `The server does not start: ${sentence(reason)}`,
};

/** The server is somewhere else: it may go on while the way to it is cut. */
export const farServerTexts: LinkTexts = {
  connecting: "The connection is lost; connecting again. Saved messages are safe.",
  waiting: (reason, { at, of }) => `The connection is lost (${reason}). Connecting again, attempt ${at} of ${of}.`,
  failed: (reason) => `No server was reached: ${sentence(reason)}`,
};

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
