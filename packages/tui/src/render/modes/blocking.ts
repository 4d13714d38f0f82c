/** Lets writes to a slow terminal queue up rather than block the whole program. */
export function setBlocking(output: object, { blocking }: { blocking: boolean }): void {
  // Node makes terminals blocking and has no public switch; without this, frames are merely never skipped.
  const handle: unknown = Reflect.get(output, "_handle");
  if (typeof handle !== "object" || handle === null) return;
  const set: unknown = Reflect.get(handle, "setBlocking");
  if (typeof set === "function") set.call(handle, blocking);
}
