import type { FactView, StoredFact } from "@harness/protocol";
import { processNote } from "./process-note.ts";
import { shellNote } from "./shell-note.ts";

/**
 * Notes for the model about events outside its calls. They are derived from facts, so that none is lost with the
 * process, and each is sent once.
 */
export class NoteQueue implements FactView {
  #due: string[] = [];
  /** For the next message of the user. */
  #later: string[] = [];
  readonly #running = new Map<string, string>();
  #hasProcess = false;

  /** True if the agent has started a background process. */
  get hasProcess(): boolean {
    return this.#hasProcess;
  }

  /** Notes for the next request. */
  get due(): readonly string[] {
    return this.#due;
  }

  see({ update }: StoredFact): void {
    switch (update.sessionUpdate) {
      case "process_update": {
        this.#hasProcess = true;
        if (update.state === "running") this.#running.set(update.processId, update.command);
        else this.#running.delete(update.processId);
        const note = processNote(update);
        if (note !== undefined) this.#due.push(note);
        break;
      }
      case "tool_call_update":
        if (update.outcome && update.byPerson?.share) {
          this.#later.push(shellNote(update.byPerson.command, update.outcome));
        }
        break;
      case "skill_update":
        if (update.state === "unloaded")
          this.#later.push(`[The skill ${update.skill.name} is no longer in use: do not follow it any more.]`);
        break;
      case "compaction_update":
        // The summary may not mention them.
        for (const [processId, command] of this.#running) {
          this.#due.push(
            `[Still running in the background: ${processId} (\`${command.slice(0, 200).toWellFormed()}\`)]`,
          );
        }
        break;
      case "user_message":
        // A message from harness already contains the notes, unless it is about something else.
        if (update.origin === "harness" && !update.kind && !update.files) this.#due = [];
        break;
      default:
        break;
    }
  }

  /** All notes, to send with the user's next message. */
  takeAll(): string[] {
    const notes = [...this.#later, ...this.#due];
    this.#due = [];
    this.#later = [];
    return notes;
  }
}
