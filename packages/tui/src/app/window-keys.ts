import { keyTable } from "../keymap/key-table.ts";

/** Interrupt, redraw and suspend are looked up before anything else has the keyboard. */
export const windowKeys = keyTable("anywhere", [
  {
    id: "escape",
    keys: ["escape"],
    doc: "Close; else back to the main agent; else stop the turn (again: background agents too); else clear the input; else Home",
  },
  {
    id: "interrupt",
    keys: ["ctrl+c"],
    doc: "Stop the turn (again: background agents too); in a subagent's transcript: stop that agent (press twice), or leave it once it has ended; else clear the input; twice: quit",
  },
  { id: "leave", keys: ["ctrl+d"], doc: "Leave, when the input is empty" },
  { id: "fold", keys: ["ctrl+o"], doc: "Open or fold thinking and tool output" },
  { id: "redraw", keys: ["ctrl+l"], doc: "Redraw the screen" },
  { id: "suspend", keys: ["ctrl+z"], doc: "Stop the window and give the terminal to the shell; fg brings it back" },
]);

export const chatKeys = keyTable("chat", [
  {
    id: "agents",
    keys: ["ctrl+x"],
    doc: "Show the agents; in a dialog of an agent that is not in view: show that agent",
  },
  { id: "todos", keys: ["ctrl+t"], doc: "Show all of the agent's tasks, or only the current one" },
  { id: "foldNewest", keys: ["alt+o"], doc: "Open or fold the newest in sight alone" },
  {
    id: "permissionMode",
    keys: ["shift+tab"],
    doc: "Who decides: default, accept-edits, plan, auto-in-sandbox where there is a sandbox",
  },
]);
