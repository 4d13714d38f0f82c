import { diskProblem, errorCode, isShortage } from "@harness/host";
import { type ProtocolError, protocolError } from "@harness/protocol";

/** The answer if the file system refused something unexpected; undefined for bugs. */
export function systemRefusal(error: unknown, method: string): ProtocolError | undefined {
  const { path, syscall } = Object(error);
  const doing = `complete ${method}`;
  if (isShortage(error)) {
    const at = typeof path === "string" && !String(syscall).startsWith("spawn") ? path : undefined;
    return protocolError("storage_failed", diskProblem(error, doing, at));
  }
  if (errorCode(error) === undefined || typeof path !== "string" || typeof syscall !== "string") return undefined;
  // A program that cannot be started has a path too.
  if (syscall.startsWith("spawn") || syscall === "connect") return undefined;
  return protocolError("storage_failed", diskProblem(error, doing, path));
}
