import { lstat, stat } from "node:fs/promises";
import type { Paths } from "@harness/gate";
import { realPathOf } from "@harness/host";

/** The paths of this machine; `home` is the folder that `~` means in commands. */
export function realPaths(home: string): Paths {
  return { exists, identity, real: realPathOf, home };
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Numbers of folders are given again when one is deleted: when it was made belongs to it. */
function identity(path: string): Promise<string | undefined> {
  return stat(path, { bigint: true }).then(
    ({ dev, ino, birthtimeNs }) => `${dev} ${ino} ${birthtimeNs}`,
    () => undefined,
  );
}
