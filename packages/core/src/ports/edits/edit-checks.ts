/** Files that an agent changes in a turn. `paths`: absolute, without links, as far as they are known. */
export type FileEdits = {
  readonly agentId: string;
  readonly turnId: string;
  /** The folder that the agent works in. */
  readonly cwd: string;
  readonly paths: readonly string[];
  /**
   * Changes that wait for a review, by the real paths of their files: each is not on disk but in another file; null: it
   * is to be removed. Absent: there are none.
   */
  readonly staged?: StagedTexts;
};

export type StagedTexts = ReadonlyMap<string, string | null>;

/** `text`: for the model. `shown`: for people; absent if there is nothing to show them. */
export type EditReport = { readonly text: string; readonly shown?: string };

/** Checks files that agents have changed, as a compiler does. */
export interface EditChecks {
  /**
   * Called before a call changes these files: what is wrong in them already is not news. Bounded in time, and over when
   * the signal aborts. Never rejects.
   */
  before(edits: FileEdits, signal: AbortSignal): Promise<void>;
  /**
   * Called once when the calls of a reply have ended that may have changed files. `commands`: some of them were
   * commands, which may have changed others. Bounded in time; undefined if there is nothing to say. Never rejects.
   */
  after(edits: FileEdits & { readonly commands: boolean }, signal: AbortSignal): Promise<EditReport | undefined>;
  /** The verdict about an agent's last edits, if it came too late for their result and nothing has changed since; once. */
  late(agent: Pick<FileEdits, "agentId">): EditReport | undefined;
  /** Called when a review has ended: files are on disk what they are, whatever was staged. */
  reviewed(): void;
}
