import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The edited text, or why it could not be edited, as a sentence. */
export type EditedText = { readonly text: string } | { readonly problem: string };

/** Longer than any message. */
const MAX_BYTES = 16 * 1024 * 1024;
/** The shell's exit codes if it does not find a program, or may not start it. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

/** The sources of the user's choice of editor. */
export type EditorSources = {
  /** The setting `editor`; empty or unknown: the environment decides. */
  readonly setting: unknown;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/**
 * Lets the user edit a text in their own editor (the setting, `$VISUAL`, `$EDITOR`, else vi), which uses this process's
 * terminal meanwhile. The text is in a private file that is removed afterwards.
 */
export async function editInProgram(text: string, sources: EditorSources): Promise<EditedText> {
  const { editor, remedy } = editorOf(sources);
  const folder = mkdtempSync(join(tmpdir(), "harness-message-"));
  const path = join(folder, "message.md");
  try {
    writeFileSync(path, text === "" ? "" : `${text}\n`, { mode: 0o600 });
    const { code, signal } = await run(editor, path);
    if (code === NOT_FOUND || code === NOT_EXECUTABLE)
      return { problem: `The editor "${editor}" could not be started. ${remedy}` };
    if (code !== 0) return { problem: `The editor ended with ${signal ?? code}; the text stays as it was.` };
    if (statSync(path).size > MAX_BYTES) return { problem: "The text is longer than 16 MiB; it stays as it was." };
    return { text: readFileSync(path, "utf8").replace(/\r?\n$/, "") };
  } catch (error) {
    return { problem: `The text could not be edited: ${error instanceof Error ? error.message : String(error)}` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function editorOf({ setting, env }: EditorSources): { editor: string; remedy: string } {
  const set = typeof setting === "string" ? setting.trim() : "";
  if (set !== "") return { editor: set, remedy: "Change `editor` in the settings." };
  const editor = [env.VISUAL, env.EDITOR].map((each) => each?.trim()).find(Boolean) ?? "vi";
  return { editor, remedy: "Name one that is installed in `editor` in the settings, or in VISUAL or EDITOR." };
}

/** A command without shell syntax. */
const PLAIN = /^[\w./\\ -]+$/;

/**
 * The editor may have arguments (`code --wait`), so a shell parses it. The shell replaces itself with the editor if
 * possible: otherwise an interrupt from the keyboard, which an editor may well survive, would end the shell.
 */
function run(editor: string, path: string): Promise<{ code: number | null; signal: string | null }> {
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", `${PLAIN.test(editor) ? "exec " : ""}${editor} "$1"`, "sh", path], {
      stdio: "inherit",
    });
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
}
