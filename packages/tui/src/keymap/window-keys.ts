import { keyTable } from "./key-table.ts";

/** Interrupt, redraw and suspend are looked up before anything else has the keyboard. */
export const windowKeys = keyTable("anywhere", [
  {
    id: "escape",
    keys: ["escape"],
    doc: "Close; else back to the main agent; else stop the turn (again: background agents too); else clear the input; twice: rewind",
  },
  {
    id: "interrupt",
    keys: ["ctrl+c"],
    doc: "Stop the turn (again: background agents too); in a subagent's transcript: stop that agent (press twice), or leave it once it has ended; else clear the input; twice: quit",
  },
  { id: "leave", keys: ["ctrl+d"], doc: "Leave, when the input is empty" },
  { id: "fold", keys: ["ctrl+o"], doc: "Open or fold thinking and tool output" },
  { id: "redraw", keys: ["ctrl+l"], doc: "Redraw the screen" },
  { id: "suspend", keys: ["ctrl+z"], doc: "Suspend harness and return to the shell; fg resumes it" },
]);

export const chatKeys = keyTable("chat", [
  {
    id: "agents",
    keys: ["ctrl+x a"],
    doc: "Show the agents; in a dialog of an agent that is not in view: show that agent",
    hint: "agents",
  },
  { id: "model", keys: ["ctrl+x m"], doc: "Choose the model", hint: "model" },
  { id: "new", keys: ["ctrl+x n"], doc: "Start a new session", hint: "new session" },
  { id: "copyCode", keys: ["ctrl+x y"], doc: "Copy the code of the last answer with code", hint: "copy code" },
  { id: "find", keys: ["ctrl+f"], doc: "While the input is empty: search the conversation", hint: "find" },
  {
    id: "mark",
    keys: ["ctrl+space", "ctrl+x v"],
    doc: "Select text in the conversation with keys, and copy it",
    hint: "mark text",
  },
  { id: "todos", keys: ["ctrl+t"], doc: "Show all of the agent's tasks, or only the current one" },
  {
    id: "foldNewest",
    keys: ["ctrl+x o", "alt+o"],
    doc: "Open or fold only the newest visible one",
    hint: "open newest",
  },
  {
    id: "permissionMode",
    keys: ["shift+tab"],
    doc: "The next mode: asks first, edits allowed, edits reviewed, planning, and commands in the sandbox where there is one",
  },
]);
