import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Disk } from "./disk.ts";
import { SessionIndex, sessionIds } from "./index/session-index.ts";
import { JsonlFormat } from "./jsonl/jsonl-format.ts";
import { MarkdownFormat } from "./markdown/markdown-format.ts";
import { OwnSessions } from "./own-sessions.ts";
import { type SessionFolder, sessionFolder } from "./session-folder.ts";
import type { SessionFormat } from "./session-format.ts";

/** A folder with sessions of any format. `isOurs`: no agent can write in it. */
export type SessionsLocation = { path: string; isOurs: boolean };

export type RootOptions = {
  disk: Disk;
  now(): number /** The folder of the key that proves which sessions began here. */;
  keys: string;
};

/** The sessions in one folder, their formats, and their list entries. */
export class SessionsFolder {
  readonly path: string;
  readonly jsonl: JsonlFormat;
  readonly markdown: SessionFormat;
  readonly index: SessionIndex;

  constructor({ path, isOurs }: SessionsLocation, { disk, now, keys }: RootOptions) {
    this.path = path;
    const jsonl = new JsonlFormat({ disk, own: new OwnSessions(keys), now });
    this.jsonl = jsonl;
    this.markdown = new MarkdownFormat({ jsonl, now, isOurs });
    this.index = new SessionIndex(path, {
      digest: (...session) => jsonl.digest(...session) ?? this.markdown.digest(...session),
    });
  }

  ids(): { found: string[]; problem?: string } {
    return sessionIds(this.path);
  }

  has(sessionId: string): boolean {
    return existsSync(join(this.path, sessionId));
  }

  folder(sessionId: string): SessionFolder {
    return sessionFolder(join(this.path, sessionId));
  }

  /** Undefined if the folder has no session. */
  formatIn(folder: SessionFolder): SessionFormat | undefined {
    return [this.jsonl, this.markdown].find((format) => format.isIn(folder));
  }

  /** Renames the folder, then deletes it piece by piece: no process sees half a session. Throws file system errors. */
  discard({ dir, sessionId }: SessionFolder): void {
    const trash = join(this.path, `.trash-${sessionId}-${randomBytes(4).toString("hex")}`);
    renameSync(dir, trash);
    rmSync(trash, { recursive: true, force: true });
    // Finishes deletions that were interrupted.
    for (const name of readdirSync(this.path)) {
      if (name.startsWith(".trash-")) rmSync(join(this.path, name), { recursive: true, force: true });
    }
  }
}
