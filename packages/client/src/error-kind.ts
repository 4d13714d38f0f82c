/** Did the call end because the connection did? Then the same call is worth repeating on the next one. */
export function isLost(error: unknown): boolean {
  return errorKind(error) === "closed";
}

/** Did the server refuse because another process holds the session, or because something changed meanwhile? */
export function isConflict(error: unknown): boolean {
  return errorKind(error) === "conflict";
}

/** The kind of a server's refusal; undefined for any other error. */
export function errorKind(error: unknown): unknown {
  return typeof error === "object" && error !== null && "kind" in error ? error.kind : undefined;
}
