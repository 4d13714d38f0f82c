/**
 * `ENOENT` and the like; undefined for an error without a code. Errors from a `vm` are not instances of our `Error`.
 */
export function errorCode(error: unknown): string | undefined {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}
