import { errorCode } from "@harness/host";

const sentences: Record<string, string> = {
  ENOENT: "it does not exist",
  ENOTDIR: "a part of the path is a file, not a folder",
  EISDIR: "it is a folder",
  EACCES: "permission denied",
  EPERM: "the system does not permit it",
  ELOOP: "its links form a loop",
  ENAMETOOLONG: "the name is too long",
  ENOSPC: "no space is left on the disk",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file would become larger than permitted",
  EROFS: "the file system is read-only",
  EMFILE: "too many files are open; try again",
  ENFILE: "too many files are open on this machine; try again",
  EBUSY: "it is in use",
  EIO: "the disk reported an error",
  EEXIST: "it already exists",
  ETXTBSY: "it is a program that is running",
  ERR_INVALID_ARG_VALUE: "the path contains a NUL character",
};

/** The reason of a failed file operation, which continues "cannot read x: ". */
export function fileProblem(error: unknown): string {
  const code = errorCode(error);
  const sentence = sentences[code ?? ""];
  if (sentence) return sentence;
  return error instanceof Error ? error.message.replaceAll("\0", "\\0") : String(error);
}
