import type { ToolAlias } from "@harness/core";
import { shellWord } from "@harness/host";
import * as z from "zod";

/**
 * Other programs have a tool for each of these commands. Here they are aliases for a call of `bash`: the gate, the
 * sandbox and the rules treat each like the command itself.
 */
type Row<A> = {
  name: string;
  description: string;
  args: z.ZodType<A>;
  /** The words of the command; undefined and false are omitted. */
  words(args: A): readonly (string | false | undefined)[];
};

const text = (doc: string) => z.string().min(1).optional().describe(doc);
const flag = (doc: string) => z.boolean().optional().describe(doc);
const file = () => text("Only this file");
const remote = () => text("Remote, default origin");

/** Everything after `--` is a path. */
function paths(files: readonly (string | undefined)[]): string[] {
  const named = files.filter((each) => each !== undefined);
  return named.length > 0 ? ["--", ...named] : [];
}

/** A branch must be the second operand, because git takes the first as the remote. */
function remoteAndBranch({ remote, branch }: { remote?: string | undefined; branch?: string | undefined }) {
  return [remote ?? (branch === undefined ? undefined : "origin"), branch];
}

const git = [
  row({
    name: "git_status",
    description: "Shows the branch and which files have changed in git.",
    args: z.strictObject({}),
    words: () => ["status"],
  }),
  row({
    name: "git_diff",
    description: "Shows changes that are not committed in git.",
    args: z.strictObject({ file_path: file(), staged: flag("What is staged") }),
    words: ({ file_path, staged }) => ["diff", staged && "--staged", ...paths([file_path])],
  }),
  row({
    name: "git_log",
    description: "Lists the latest commits of git.",
    args: z.strictObject({ count: z.int().min(1).optional().describe("How many, default 10") }),
    words: ({ count = 10 }) => ["log", "-n", String(count)],
  }),
  row({
    name: "git_add",
    description: "Stages files in git.",
    args: z.strictObject({
      files: z.array(z.string().min(1)).optional().describe("Paths"),
      all: flag("Everything that has changed"),
    }),
    words: ({ files = [], all }) => ["add", all && "--all", ...paths(files)],
  }),
  row({
    name: "git_commit",
    description: "Commits what is staged in git.",
    args: z.strictObject({ message: text("Message"), amend: flag("Replace the last commit") }),
    words: ({ message, amend }) => [
      "commit",
      amend && "--amend",
      ...(message === undefined ? [amend && "--no-edit"] : ["-m", message]),
    ],
  }),
  row({
    name: "git_branch",
    description: "Lists, creates, deletes or renames branches of git.",
    args: z.strictObject({
      action: z.enum(["list", "create", "delete", "rename"]).optional().describe("Default list"),
      branch_name: text("Branch; for rename the new name of the current one"),
      force: flag("Also where commits would be lost"),
    }),
    words: ({ action = "list", branch_name, force }) => [
      "branch",
      { list: "--list", create: force && "--force", delete: force ? "-D" : "-d", rename: force ? "-M" : "-m" }[action],
      branch_name,
    ],
  }),
  row({
    name: "git_checkout",
    description: "Switches the branch in git, creates one, or restores a file.",
    args: z.strictObject({
      branch: text("Branch or commit"),
      create: flag("Create the branch"),
      file_path: text("Restore this file instead of switching"),
    }),
    words: ({ branch, create, file_path }) => ["checkout", create && "-b", branch, ...paths([file_path])],
  }),
  row({
    name: "git_stash",
    description: "Puts changes aside in git, and takes them back.",
    args: z.strictObject({
      action: z.enum(["push", "pop", "apply", "list", "show", "drop"]).optional().describe("Default push"),
      message: text("For push"),
      index: z.int().min(0).optional().describe("Which one, default the latest"),
    }),
    words: ({ action = "push", message, index }) => [
      "stash",
      action,
      ...(action === "push" && message !== undefined ? ["-m", message] : []),
      action !== "push" && action !== "list" && index !== undefined && `stash@{${index}}`,
    ],
  }),
  row({
    name: "git_push",
    description: "Pushes commits of git to a remote.",
    args: z.strictObject({
      remote: remote(),
      branch: text("Branch, default the current one"),
      force: flag("With lease"),
      set_upstream: flag("Remember the remote branch"),
    }),
    words: ({ force, set_upstream, ...where }) => [
      "push",
      force && "--force-with-lease",
      set_upstream && "--set-upstream",
      ...remoteAndBranch(where),
      // Without a branch git would not know what to remember.
      set_upstream && where.branch === undefined && (where.remote === undefined ? "origin" : undefined),
      set_upstream && where.branch === undefined && "HEAD",
    ],
  }),
  row({
    name: "git_pull",
    description: "Fetches commits of git from a remote and merges them.",
    args: z.strictObject({ remote: remote(), branch: text("Branch"), rebase: flag("Rebase instead of merging") }),
    words: ({ rebase, ...where }) => ["pull", rebase && "--rebase", ...remoteAndBranch(where)],
  }),
  row({
    name: "git_reset",
    description: "Unstages files in git, or moves the branch to another commit.",
    args: z.strictObject({
      mode: z.enum(["soft", "mixed", "hard"]).optional().describe("Default mixed"),
      target: text("Commit, default HEAD"),
      file_path: text("Unstage only this file"),
    }),
    words: ({ mode, target, file_path }) => [
      "reset",
      mode !== undefined && file_path === undefined && `--${mode}`,
      target,
      ...paths([file_path]),
    ],
  }),
].map((each) => each("git"));

const others = [
  row({
    name: "get_current_time",
    description: "Tells the date and time.",
    args: z.strictObject({}),
    words: () => ["+%A, %Y-%m-%d %H:%M:%S %z"],
  })("date"),
  row({
    name: "get_working_directory",
    description: "Tells the session's folder.",
    args: z.strictObject({}),
    words: () => [],
  })("pwd"),
];

/** Binds a row's arguments to its words. */
function row<A>({ words, ...form }: Row<A>): (program: string) => ToolAlias {
  return (program) => ({
    name: form.name,
    tool: "bash",
    form: { ...form, category: "destructive" },
    convert: (input) => {
      const args = words(form.args.parse(input)).filter((word) => word !== undefined && word !== false);
      return { command: [program, ...args.map(shellWord)].join(" ") };
    },
  });
}

export const commandForms: readonly ToolAlias[] = [...git, ...others];
