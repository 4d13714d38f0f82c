import * as z from "zod";
import { importSources } from "../../choices.ts";
import { request } from "../table.ts";

/** A session of another program, in its own place. */
const FoundSession = z.object({
  path: z.string(),
  changedAt: z.string(),
  bytes: z.number(),
  /** Its title, or the beginning of its first message; only for the newest ones. */
  title: z.string().optional(),
  cwd: z.string().optional(),
});

/** Something that another program left in its place. */
export const Leftover = z.object({
  /** For people: "TinyHarness". */
  program: z.string(),
  kind: z.enum(["setting", "policy", "agent", "prompt", "session"]),
  path: z.string(),
  /** Its name there; empty for a file as a whole. */
  name: z.string(),
  /** Its form here: `model = qwen3`. Absent: it does not come. */
  becomes: z.string().optional(),
  /** Why it does not come: continues a sentence. */
  why: z.string().optional(),
});
export type Leftover = z.infer<typeof Leftover>;

export const importMethods = {
  "import/list": request({
    doc: "What other programs left in their places: settings, policies, agents, prompts and sessions, and what each becomes here. `answer`: what the person said to it before.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({}),
    result: z.object({
      items: z.array(Leftover),
      /** Of this list; changes with it. */
      version: z.string(),
      answer: z.enum(["taken", "declined"]).optional(),
    }),
  }),
  "import/take": request({
    doc: "Takes over what `import/list` says can come, if that is still the same list. What is here already stays, and the old places are only read.",
    lane: "global",
    idempotent: false,
    access: "control",
    params: z.object({ version: z.string() }),
    result: z.object({
      taken: z.array(Leftover),
      /** Sentences on things that could not be taken over after all. */
      problems: z.array(z.string()),
    }),
  }),
  "import/offer": request({
    doc: "The programs whose things a client offers to take over. Only once: not after an answer, nor after an earlier server has answered this.",
    lane: "global",
    idempotent: true,
    access: "control",
    params: z.object({}),
    result: z.object({ programs: z.array(z.string()) }),
  }),
  "import/decline": request({
    doc: "Leaves it where it is: it is not offered again. `import/list` still lists it.",
    lane: "global",
    idempotent: true,
    access: "control",
    params: z.object({}),
    result: z.object({}),
  }),
  "session/import": request({
    doc: "Makes a new session of a bundle, of a session of harness (its folder, log or JSON), or of one of another program; the file stays as it is. Calls of other programs become text, and `left` says in a sentence what did not come along. `cwd`: the folder to work in; absent: that of the session if it is here, else the server's.",
    lane: "free",
    idempotent: false,
    access: "control",
    params: z.object({
      /** Absolute. */
      path: z.string(),
      cwd: z.string().optional(),
    }),
    result: z.object({
      sessionId: z.string(),
      cwd: z.string(),
      /** The program, or the kind of file, that it is from. */
      from: z.string(),
      messages: z.number(),
      left: z.string(),
      /** The same was imported before: this is that session, and nothing was written. */
      isKnown: z.boolean(),
      /** Imported sessions with the same beginning: of it when it was shorter, or of a fork. They stay as they are. */
      earlier: z.array(z.string()),
    }),
  }),
  "session/importable": request({
    doc: "Sessions that another program keeps in its usual place below the home, newest first.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({ from: z.enum(importSources), limit: z.number().int().min(1).max(500).default(50) }),
    result: z.object({
      sessions: z.array(FoundSession),
      /** The number of all that there are. */
      total: z.number(),
      /** The program's name for people, and the folders that were looked into. */
      title: z.string(),
      folders: z.array(z.string()),
    }),
  }),
};
