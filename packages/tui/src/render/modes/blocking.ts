/** Lets writes to a terminal queue up instead of holding the whole program while the terminal is slow. */
export function setBlocking(output: object, { blocking }: { blocking: boolean }): void {
  // Node makes terminals blocking and has no public switch; without it frames are only never skipped.
  const handle: unknown = Reflect.get(output, "_handle");
  if (typeof handle !== "object" || handle === null) return;
  const set: unknown = Reflect.get(handle, "setBlocking");
  if (typeof set === "function") set.call(handle, blocking);
}
