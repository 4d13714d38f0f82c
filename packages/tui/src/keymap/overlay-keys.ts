import { keyTable } from "./key-table.ts";

export const modelKeys = keyTable("models", [
  { id: "choose", keys: ["enter"], doc: "Use the marked model, now and for later sessions; typing filters" },
]);

export const setupKeys = keyTable("models: set up", [
  { id: "accept", keys: ["enter"], doc: "Choose the marked row, or use what was typed" },
  { id: "back", keys: ["escape"], doc: "Back to the list" },
]);

export const keyListKeys = keyTable("keys", [
  { id: "change", keys: ["enter"], doc: "Change the key of the marked action" },
  { id: "add", keys: ["tab"], doc: "Add a key" },
  { id: "clear", keys: ["delete"], doc: "Remove its keys" },
  { id: "reset", keys: ["backspace"], doc: "Restore its default keys (while the filter is empty)" },
]);

export const themeKeys = keyTable("themes", [{ id: "keep", keys: ["enter"], doc: "Keep the marked theme" }]);

export const sheetKeys = keyTable("help", [
  { id: "scrollUp", keys: ["up", "k", "shift+up"], doc: "Row up" },
  { id: "scrollDown", keys: ["down", "j", "shift+down"], doc: "Row down" },
]);

export const agentKeys = keyTable("agents", [
  {
    id: "open",
    keys: ["enter"],
    doc: "Open the selected agent: follow its transcript, send it messages",
  },
  { id: "stop", keys: ["s"], doc: "Stop it and the agents below it (press twice)" },
  { id: "diff", keys: ["d"], doc: "Show the changes in its worktree" },
  { id: "apply", keys: ["a"], doc: "Apply these changes to the workspace (press twice)" },
  { id: "drop", keys: ["x"], doc: "Drop these changes (press twice)" },
]);

export const rewindKeys = keyTable("rewind", [
  { id: "mark", keys: ["enter"], doc: "Rewind to before the marked message" },
  { id: "both", keys: ["b"], doc: "Conversation and files" },
  { id: "conversation", keys: ["c"], doc: "Only the conversation" },
  { id: "files", keys: ["f"], doc: "Only the files" },
]);

export const processKeys = keyTable("processes", [
  { id: "output", keys: ["enter"], doc: "Show the output of the marked process" },
  { id: "stop", keys: ["s"], doc: "Stop it and everything it started (press twice)" },
  { id: "keep", keys: ["g"], doc: "Keep it running after the session, or not" },
]);
