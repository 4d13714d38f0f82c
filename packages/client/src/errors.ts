export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** True if the call ended because the connection did; the same call is then worth repeating on the next one. */
export function isLost(error: unknown): boolean {
  return errorKind(error) === "closed";
}

/** True if the server refused because another process holds the session, or because something changed meanwhile. */
export function isConflict(error: unknown): boolean {
  return errorKind(error) === "conflict";
}

/** Names the missing thing, if that is why the server refused. */
export function missingThing(error: unknown): unknown {
  if (errorKind(error) !== "not_found" || !(error instanceof Error) || !("data" in error)) return undefined;
  const { data } = error;
  return typeof data === "object" && data !== null && "what" in data ? data.what : undefined;
}

/** True if a message was refused only because it mentions files outside the workspace: the user may confirm them. */
export function isOutsideRefusal(error: unknown): boolean {
  if (errorKind(error) !== "invalid_params" || !(error instanceof Error) || !("data" in error)) return false;
  const { data } = error;
  const issues = typeof data === "object" && data !== null && "issues" in data ? data.issues : [];
  return Array.isArray(issues) && issues.some(isAtConfirmation);
}

function isAtConfirmation(issue: unknown): boolean {
  return typeof issue === "object" && issue !== null && "path" in issue && issue.path === "allowOutside";
}

function errorKind(error: unknown): unknown {
  return typeof error === "object" && error !== null && "kind" in error ? error.kind : undefined;
}
