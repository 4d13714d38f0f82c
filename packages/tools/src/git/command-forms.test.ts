import { describe, expect, it } from "vitest";
import { commandForms } from "./command-forms.ts";

function command(name: string, input: Record<string, unknown>): unknown {
  return commandForms.find((form) => form.name === name)?.convert(input);
}

describe("tools of other programs that are commands here", () => {
  it.each([
    ["git_status", {}, "git status"],
    ["git_diff", {}, "git diff"],
    ["git_diff", { file_path: "a b", staged: true }, "git diff --staged -- 'a b'"],
    ["git_log", {}, "git log -n 10"],
    ["git_log", { count: 3 }, "git log -n 3"],
    ["git_add", { files: ["a", "-rf"] }, "git add -- a -rf"],
    ["git_add", { all: true }, "git add --all"],
    ["git_commit", { message: "it's" }, "git commit -m 'it'\\''s'"],
    ["git_commit", { amend: true }, "git commit --amend --no-edit"],
    ["git_commit", { message: "x", amend: true }, "git commit --amend -m x"],
    ["git_branch", {}, "git branch --list"],
    ["git_branch", { action: "create", branch_name: "x" }, "git branch x"],
    ["git_branch", { action: "delete", branch_name: "x", force: true }, "git branch -D x"],
    ["git_branch", { action: "rename", branch_name: "x" }, "git branch -m x"],
    ["git_checkout", { branch: "x", create: true }, "git checkout -b x"],
    ["git_checkout", { file_path: "a" }, "git checkout -- a"],
    ["git_stash", {}, "git stash push"],
    ["git_stash", { message: "$(x)" }, "git stash push -m '$(x)'"],
    ["git_stash", { action: "drop", index: 1 }, "git stash drop 'stash@{1}'"],
    ["git_push", {}, "git push"],
    ["git_push", { branch: "x", force: true }, "git push --force-with-lease origin x"],
    ["git_push", { remote: "up", branch: "x", set_upstream: true }, "git push --set-upstream up x"],
    ["git_push", { set_upstream: true }, "git push --set-upstream origin HEAD"],
    ["git_push", { remote: "up", set_upstream: true }, "git push --set-upstream up HEAD"],
    ["git_pull", { rebase: true }, "git pull --rebase"],
    ["git_pull", { remote: "up", branch: "x" }, "git pull up x"],
    ["git_reset", { mode: "hard", target: "HEAD~1" }, "git reset --hard 'HEAD~1'"],
    ["git_reset", { mode: "mixed", file_path: "a" }, "git reset -- a"],
    ["get_current_time", {}, "date '+%A, %Y-%m-%d %H:%M:%S %z'"],
    ["get_working_directory", {}, "pwd"],
  ])("are the command that they stand for: %s %j", (name, input, expected) => {
    expect(command(name, input)).toEqual({ command: expected });
  });
});
