import { errorKind } from "@harness/client";

/** The message of an error. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The missing thing, if that is why the server refused. */
export function missingThing(error: unknown): unknown {
  if (errorKind(error) !== "not_found" || !(error instanceof Error) || !("data" in error)) return undefined;
  const { data } = error;
  return typeof data === "object" && data !== null && "what" in data ? data.what : undefined;
}
