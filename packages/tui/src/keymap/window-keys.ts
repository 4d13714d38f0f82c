import { keyTable } from "./key-table.ts";

/** Interrupt, redraw and suspend are looked up before anything else gets the keyboard. */
export const windowKeys = keyTable("anywhere", [
  {
    id: "escape",
    keys: ["escape"],
    doc: "Close; else back to the main agent; else stop the turn (again: background agents too); else clear the input; else Home; twice: rewind",
  },
  { id: "fold", keys: ["ctrl+o"], doc: "Open or fold thinking and tool output" },
  {
    id: "interrupt",
    keys: ["ctrl+c"],
    doc: "Stop the turn (again: background agents too); in a subagent's transcript: stop that agent (press twice), or leave it once it has ended; else clear the input; twice: quit",
  },
  { id: "leave", keys: ["ctrl+d"], doc: "Leave, when the input is empty" },
  { id: "redraw", keys: ["ctrl+l"], doc: "Redraw the screen" },
  { id: "suspend", keys: ["ctrl+z"], doc: "Suspend harness; fg in the shell resumes it" },
]);

export const chatKeys = keyTable("chat", [
  {
    id: "permissionMode",
    keys: ["shift+tab"],
    doc: "The next mode: asks first, edits allowed, edits reviewed, planning, and commands in the sandbox where there is one",
  },
  { id: "find", keys: ["ctrl+f"], doc: "While the input is empty: search the conversation", hint: "find" },
  {
    id: "agents",
    keys: ["ctrl+x a"],
    doc: "Show the agents; in a dialog of an agent that is not in view: show that agent",
    hint: "agents",
  },
  { id: "model", keys: ["ctrl+x m"], doc: "Choose the model", hint: "model" },
  { id: "new", keys: ["ctrl+x n"], doc: "Start a new session", hint: "new" },
  {
    id: "bare",
    keys: ["alt+r", "ctrl+x r"],
    doc: "Show the conversation unwrapped and bare, to select and copy with the terminal's own mouse; Enter returns",
    hint: "bare",
  },
  { id: "copyCode", keys: ["ctrl+x y"], doc: "Copy the code of the last answer with code", hint: "code" },
  {
    id: "mark",
    keys: ["ctrl+space", "ctrl+x v"],
    doc: "Select text in the conversation with keys, and copy it",
    hint: "mark",
  },
  { id: "todos", keys: ["ctrl+t"], doc: "Show all of the agent's tasks, or only the current one" },
  {
    id: "foldNewest",
    keys: ["ctrl+x o", "alt+o"],
    doc: "Open or fold only the newest visible one",
    hint: "open",
  },
]);

export const messageKeys = keyTable("chat", [
  {
    id: "sendOther",
    keys: ["tab"],
    doc: "While the agent works: keep the message for after the turn; the key that sends adds it to the next step (`enter_while_running` swaps the two)",
  },
  {
    id: "unqueue",
    keys: ["ctrl+x u", "alt+up"],
    doc: "Edit the newest waiting message; so does moving up in the empty input",
    hint: "waiting",
  },
]);

export const findKeys = keyTable("find", [
  { id: "older", keys: ["up", "enter", "n", "ctrl+p", "ctrl+f"], doc: "The match above" },
  { id: "newer", keys: ["down", "ctrl+n"], doc: "The match below (also N)" },
  { id: "edit", keys: ["/", "backspace", "i"], doc: "Change what is looked for" },
]);

export const markingKeys = keyTable("marking", [
  { id: "up", keys: ["up", "k", "shift+up"], doc: "Row up; at the top the conversation scrolls" },
  { id: "down", keys: ["down", "j", "shift+down"], doc: "Row down" },
  { id: "left", keys: ["left", "h", "shift+left"], doc: "A character left" },
  { id: "right", keys: ["right", "l", "shift+right"], doc: "A character right" },
  { id: "lineStart", keys: ["home", "0", "ctrl+a"], doc: "The start of the row" },
  { id: "lineEnd", keys: ["end", "$", "ctrl+e"], doc: "The end of the row" },
  { id: "pageUp", keys: ["pageup"], doc: "Page up" },
  { id: "pageDown", keys: ["pagedown"], doc: "Page down" },
  { id: "begin", keys: ["space", "v"], doc: "Start marking here" },
  { id: "copy", keys: ["enter", "y"], doc: "Copy what is marked" },
  { id: "close", keys: ["escape", "q"], doc: "Cancel" },
]);
