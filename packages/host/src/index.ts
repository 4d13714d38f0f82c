export {
  type AtomicWrite,
  nameOnce,
  putInPlace,
  removeIfThere,
  replaceIfStill,
  syncFolder,
  writeAtomically,
  writeDraft,
  writeNewFile,
} from "./files/atomic-write.ts";
export { diskProblem, isShortage, systemReason } from "./files/disk-problem.ts";
export { errorCode } from "./files/error-code.ts";
export { digestMeanwhile, digestOf } from "./files/file-digest.ts";
export { fileStamp, isSettled, unsettledMs } from "./files/file-stamp.ts";
export { FileStamps } from "./files/file-stamps.ts";
export { type FileStart, readFileStart } from "./files/file-start.ts";
export { fillFile } from "./files/fill-file.ts";
export { FolderWatch } from "./files/folder-watch.ts";
export { copyOwnFile, readOwnFile, replaceOwnFile, writeOwnFile } from "./files/own-file.ts";
export { makeFolder, makePrivateFolder } from "./files/private-folder.ts";
export { realPathIfThere, realPathOf, realPathOrSame } from "./files/real-path.ts";
export { openRegularFile, type RegularFileReading, readRegularFile } from "./files/regular-file.ts";
export { DamagedDatabaseError, isDamagedDatabase, isDatabaseBusy, sqlite } from "./files/sqlite.ts";
export { statIfThere } from "./files/stat-if-there.ts";
export { sweepDrafts } from "./files/sweep-drafts.ts";
export { TickCache } from "./files/tick-cache.ts";
export { writePieces } from "./files/write-pieces.ts";
export {
  emptyFilter,
  type GitSetting,
  readRepositoryFilters,
  settingVariables,
} from "./git/repository-filters.ts";
export { type GitRun, gitOutput, quietGit, runGit } from "./git/run-git.ts";
export { type AddressJudge, AddressRefusedError, type Resolve } from "./http/judged-lookup.ts";
export { openSocket } from "./http/judged-socket.ts";
export { KeptConnections } from "./http/kept-connections.ts";
export { type LoopbackListener, listenForRedirect } from "./http/loopback-listener.ts";
export { isOwnNetwork, isPrivateAddress } from "./http/own-network.ts";
export { chooseProxy, type NamedProxy, type ProxyChoice } from "./http/proxy-choice.ts";
export { ProxyError } from "./http/proxy-failure.ts";
export { retryAfterMs } from "./http/retry-after.ts";
export { type HttpRequest, sendHttp } from "./http/send-http.ts";
export { trustSystemAuthorities } from "./http/system-authorities.ts";
export {
  describeOwner,
  type HeldLock,
  isLocked,
  type Lock,
  type LockOwner,
  takeLock,
  thisProcess,
} from "./locks/lock-file.ts";
export { blockForLock, type LockClock, lockedProblem, waitForLock } from "./locks/wait-for-lock.ts";
export { closedToOthers, othersProblem, writtenByOwnerOnly } from "./private-files/file-access.ts";
export { doubledName, parseJson } from "./private-files/json-text.ts";
export { formatKeyed, type KeyedDocument, type KeyedForm, parseKeyed } from "./private-files/keyed-document.ts";
export { readLenientJson } from "./private-files/lenient-json.ts";
export { namedCommands } from "./private-files/named-commands.ts";
export { namedServers } from "./private-files/named-servers.ts";
export {
  brokenCopyNotes,
  type Contents,
  type FileChangeProblem,
  PrivateFile,
  type PrivateFileChange,
  type PrivateFileOptions,
} from "./private-files/private-file.ts";
export { PrivateLog } from "./private-files/private-log.ts";
export { keepCopy, replaceFile } from "./private-files/replace-file.ts";
export { textFile } from "./private-files/text-file.ts";
export { atExit } from "./process/at-exit.ts";
export {
  CALL_ID,
  type CallMark,
  callMark,
  newCallId,
  OWNER_PID,
  OWNER_START,
  signalMarked,
} from "./process/call-mark.ts";
export {
  DEFAULT_PATH,
  type Environment,
  NETWORK,
  passedEnvironment,
  programEnvironment,
  withVariables,
} from "./process/child-environment.ts";
export { type GroupCommand, GroupProcess } from "./process/group-process.ts";
export { type HarnessFacts, harnessVariables } from "./process/harness-variables.ts";
export { inTime, PATIENCE_MS } from "./process/in-time.ts";
export { isPlaceVariable, type NamedVariables, namedVariables } from "./process/named-variables.ts";
export { hasEnded, type ProcessStat, parseStat, readStat } from "./process/process-stat.ts";
export { readProcessVariables } from "./process/process-variables.ts";
export { type ProgramEnd, ProgramProcess, type ProgramStart } from "./process/program-process.ts";
export { NOT_STARTED, type ProgramOptions, type ProgramResult, runProgram } from "./process/run-program.ts";
export { isSecretVariable } from "./process/secret-variables.ts";
export { runProblem } from "./process/start-problem.ts";
export { SocketFolderError } from "./sockets/socket-folder.ts";
export { SocketLocations } from "./sockets/socket-locations.ts";
export { fencedText } from "./text/fenced-text.ts";
export { jsonValue } from "./text/json-value.ts";
export { holdsKey, isRandom, replaceKeyForms } from "./text/key-forms.ts";
export { type LineDiff, lineDiff, OPENABLE_CONTEXT } from "./text/line-diff.ts";
export { LinearRegex } from "./text/linear-regex/linear-regex.ts";
export { nearContext } from "./text/near-context.ts";
export { plainLine, plainLines } from "./text/plain-line.ts";
export { isRecord } from "./text/record.ts";
export { shellQuoted, shellWord } from "./text/shell-quoted.ts";
export { type LineHunk, splitHunks, wholeLines, withHunks } from "./text/split-hunks.ts";
