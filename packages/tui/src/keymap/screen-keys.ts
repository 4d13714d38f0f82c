import { keyTable } from "./key-table.ts";

export const homeKeys = keyTable("home", [
  { id: "open", keys: ["enter"], doc: "Open the marked session, or go back to the open one" },
  { id: "markUp", keys: ["up"], doc: "Mark the session above (while the input is empty)" },
  { id: "markDown", keys: ["down"], doc: "Mark the session below (while the input is empty)" },
  { id: "starter1", keys: ["1"], doc: "Send the first proposed message (while the input is empty)" },
  { id: "starter2", keys: ["2"], doc: "Send the second proposed message" },
  { id: "starter3", keys: ["3"], doc: "Send the third proposed message" },
]);

export const historyKeys = keyTable("history", [
  {
    id: "resume",
    keys: ["enter"],
    doc: "Open the session, at the passage that was found; restore it from the bin; typing searches",
  },
  { id: "everywhere", keys: ["tab"], doc: "Sessions of all folders, or of this one" },
  {
    id: "archived",
    keys: ["shift+tab"],
    doc: "Archived sessions, then the bin, then those of other programs, then yours again",
  },
  { id: "mark", keys: ["space"], doc: "Mark the session for what follows (not while words are typed)" },
  { id: "markAll", keys: ["ctrl+a"], doc: "Mark all that the list has, or none" },
  { id: "fold", keys: ["left"], doc: "Fold the forks of the session, or go to its parent" },
  { id: "unfold", keys: ["right"], doc: "Unfold the forks of the session" },
  { id: "read", keys: ["ctrl+o"], doc: "Read the preview on the whole screen" },
  { id: "scrollUp", keys: ["shift+up"], doc: "Scroll the preview up (also the wheel)" },
  { id: "scrollDown", keys: ["shift+down"], doc: "Scroll the preview down (also the wheel)" },
  { id: "rename", keys: ["ctrl+r"], doc: "Rename the session" },
  {
    id: "archive",
    keys: ["ctrl+t"],
    doc: "Archive the session or the marked ones, or take them out of the archive or the bin",
  },
  { id: "export", keys: ["ctrl+g"], doc: "Export the session or the marked ones into a folder" },
  { id: "delete", keys: ["delete", "ctrl+d"], doc: "Delete the session or the marked ones (asks first)" },
  {
    id: "takeBack",
    keys: ["ctrl+_", "ctrl+/", "ctrl+shift+-", "alt+u"],
    doc: "Take back what was just deleted or archived",
  },
]);

export const settingsKeys = keyTable("settings", [
  { id: "edit", keys: ["enter"], doc: "Next choice, or type a value: Enter saves, Esc cancels" },
  { id: "previous", keys: ["left"], doc: "Previous choice, saved at once" },
  { id: "next", keys: ["right"], doc: "Next choice, saved at once" },
  { id: "reset", keys: ["delete", "ctrl+d"], doc: "Back to the default" },
  { id: "clear", keys: ["escape"], doc: "Clear the filter (just type to filter); else close" },
]);

export const credentialKeys = keyTable("settings: providers", [
  { id: "begin", keys: ["enter"], doc: "Log in with a browser, or type the provider's key (hidden)" },
  { id: "remove", keys: ["delete", "ctrl+d"], doc: "Remove the stored key or login (asks first)" },
]);

/** The screens that a key opens from anywhere. */
export const screenKeys = keyTable("anywhere", [
  { id: "home", keys: ["ctrl+x h"], doc: "Home", hint: "Home" },
  { id: "settings", keys: ["ctrl+s"], doc: "Settings", hint: "Settings" },
  { id: "history", keys: ["ctrl+x l"], doc: "History", hint: "History" },
]);
