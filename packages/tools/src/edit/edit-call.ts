import * as z from "zod";
import { type Hunk, parsePatch } from "./patch-text.ts";

const MAX_STEPS = 200;

/** One change to one file, with its path as the model wrote it. */
export type EditStep =
  | { kind: "text"; path: string; old: string; into: string; all: boolean }
  /** Replaces lines `first` to `last`, from 1; if `last` is before `first`, inserts `content` before `first`. */
  | { kind: "lines"; path: string; first: number; last: number; content: string }
  | { kind: "hunks"; path: string; hunks: Hunk[]; movedTo?: string }
  | { kind: "create"; path: string; content: string }
  | { kind: "delete"; path: string };

/** Forms that other programs use; our schema only shows the first one. */
const entry = z.strictObject({
  file_path: z.string().optional(),
  old_string: z.string().optional(),
  new_string: z.string().optional(),
  replace_all: z.boolean().optional(),
  start_line: z.int().optional(),
  end_line: z.int().optional(),
  content: z.string().optional(),
  patch: z.string().optional(),
});
type Entry = z.infer<typeof entry>;

const string = { type: "string" } as const;
const described = z.unknown().meta({
  type: "object",
  properties: { file_path: { ...string, minLength: 1 }, old_string: string, new_string: string },
  required: ["old_string", "new_string"],
});

const required = ["file_path", "old_string", "new_string"] as const;

/** Described as if the first edit were always present: a call with `edits` only is accepted as well. */
export const editArgs = z
  .strictObject({
    file_path: z.string().optional(),
    old_string: z.string().optional().describe("Exact text"),
    new_string: z.string().optional(),
    replace_all: z.boolean().optional(),
    edits: z.array(described.pipe(entry)).optional().describe("More edits, all or none"),
  })
  .superRefine((call, { addIssue }) => {
    if ((call.edits?.length ?? 0) > 0 && call.old_string === undefined && call.new_string === undefined) return;
    for (const name of required) {
      const input = call[name];
      if (input === undefined) addIssue({ code: "invalid_type", expected: "string", path: [name], input });
    }
  })
  .meta({ required: [...required] });
export type EditCall = z.infer<typeof editArgs>;

/** The changes that a call asks for, in order. Pure: reads no files. */
export function editSteps({ edits = [], ...first }: EditCall): EditStep[] | { problem: string } {
  const entries: Entry[] = first.old_string === undefined ? edits : [first, ...edits];
  const steps: EditStep[] = [];
  for (const [at, each] of entries.entries()) {
    const found = stepsOf({ ...each, file_path: each.file_path ?? first.file_path });
    if ("problem" in found) return { problem: `${entries.length > 1 ? `Edit ${at + 1}: ` : ""}${found.problem}` };
    steps.push(...found);
  }
  return steps.length <= MAX_STEPS ? steps : { problem: `More than ${MAX_STEPS} changes in one call: send fewer.` };
}

function stepsOf({ file_path: path, patch, content, ...rest }: Entry): EditStep[] | { problem: string } {
  if (patch !== undefined) return parsePatch(patch);
  if (path === undefined) return { problem: "file_path is missing: name the file." };
  const { start_line: first, end_line: last = first, old_string: old, new_string: into } = rest;
  if (first !== undefined && last !== undefined) {
    if (content === undefined) return { problem: "content is missing: give the new lines, or an empty text." };
    return [{ kind: "lines", path, first, last, content }];
  }
  if (old === undefined) return { problem: "old_string is missing: give the text to replace." };
  if (into === undefined) return { problem: "new_string is missing: give the new text, which may be empty." };
  if (old === "") return { problem: "old_string is empty: give the text to replace, or use write for a whole file." };
  if (old === into) return { problem: "old_string and new_string are the same: nothing would change." };
  return [{ kind: "text", path, old, into, all: rest.replace_all ?? false }];
}
