import { keyTable } from "../keymap/key-table.ts";

/** Interrupt, redraw and suspend are looked up before anything else has the keyboard. */
export const windowKeys = keyTable("anywhere", [
  {
    id: "escape",
    keys: ["escape"],
    doc: "Close; else back to the main agent; else stop the turn, again: its background agents; else empty the input; else Home",
  },
  {
    id: "interrupt",
    keys: ["ctrl+c"],
    doc: "Stop the turn, again: its background agents; of another agent in view: stop that, when pressed twice, or leave it, when it has ended; else empty the input; twice: leave",
  },
  { id: "leave", keys: ["ctrl+d"], doc: "Leave, when the input is empty" },
  { id: "fold", keys: ["ctrl+o"], doc: "Open or fold thinking and tool output" },
  { id: "redraw", keys: ["ctrl+l"], doc: "Redraw the screen" },
  { id: "suspend", keys: ["ctrl+z"], doc: "Stop the window and give the terminal to the shell; fg brings it back" },
]);

export const chatKeys = keyTable("chat", [
  { id: "agents", keys: ["ctrl+x"], doc: "The agents; at a dialog of an agent that is not in view: show that agent" },
  { id: "todos", keys: ["ctrl+t"], doc: "List the agent's tasks, or only the current one" },
  { id: "foldNewest", keys: ["alt+o"], doc: "Open or fold the newest in sight alone" },
  {
    id: "permissionMode",
    keys: ["shift+tab"],
    doc: "Who decides: default, accept-edits, plan, auto-in-sandbox where there is a sandbox",
  },
]);
