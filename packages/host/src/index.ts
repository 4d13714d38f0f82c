export {
  type AtomicWrite,
  putInPlace,
  removeIfThere,
  syncFolder,
  writeAtomically,
} from "./files/atomic-write.ts";
export { diskProblem } from "./files/disk-problem.ts";
export { errorCode } from "./files/error-code.ts";
export { type FileStart, readFileStart } from "./files/file-start.ts";
export { makePrivateFolder } from "./files/private-folder.ts";
export { type RegularFileReading, readRegularFile } from "./files/regular-file.ts";
export { replaceFile } from "./files/replace-file.ts";
export {
  describeOwner,
  type HeldLock,
  type Lock,
  type LockOwner,
  takeLock,
  thisProcess,
} from "./locks/lock-file.ts";
export { blockForLock, heldProblem, type LockClock, waitForLock } from "./locks/wait-for-lock.ts";
export { DEFAULT_PATH, type Environment, passedEnvironment, programEnvironment } from "./process/child-environment.ts";
export { isRecord } from "./text/record.ts";
