import type { SettingView } from "@harness/protocol";
import { expect, it } from "vitest";
import { painterOf } from "../../../test/painter.ts";
import { initialState } from "../../state/app-state.ts";
import { createStore } from "../../state/store.ts";
import { textOfRow } from "../../text/style.ts";
import { emptyKeys } from "./credentials-state.ts";
import { emptySettings } from "./state.ts";

const lists: SettingView[] = [
  {
    key: "auto_accept_safe_commands",
    doc: "Beginnings of commands that run unasked.",
    type: "list",
    value: ["npm test", "make", "cargo build --release --all-targets --workspace", "go vet ./...", "tsc -b"],
    own: ["npm test", "a,b"],
    default: null,
    takesEffect: "new sessions",
    source: "project",
  },
  {
    key: "denied_command_prefixes",
    doc: "",
    type: "list",
    value: ["git push"],
    default: [],
    takesEffect: "now",
    source: "user",
  },
];

function screen(selected: number, editing?: string): string {
  const start = initialState({ cwd: "/w", version: "1", size: { columns: 80, rows: 24 } });
  const settings = { ...emptySettings, views: lists, selected, editing };
  const slices = { settings: { settings, keys: emptyKeys } };
  const painter = painterOf(createStore({ ...start, screen: "settings", slices }));
  const lines = painter.draw().rows.map((row) => textOfRow(row).trimEnd());
  painter.close();
  return lines.join("\n");
}

it("a list setting is one line, cut to fit, without its source", () => {
  const text = screen(0);
  expect(text).toMatch(/› auto_accept_safe_commands +npm test, make, cargo build .*… {2}project\n/);
  expect(text).toMatch(/ {2}denied_command_prefixes +git push {2}user\n/);
});

it("the detail of a list says how entries are separated, and which are the user's own when a project adds some", () => {
  expect(screen(0)).toContain('Separate entries with commas. The project adds to yours: ["npm test","a,b"]');
  expect(screen(0)).toContain("Default: (not set)");
  expect(screen(1)).toContain("Separate entries with commas.\n");
  expect(screen(1, "git push, rm")).toMatch(/denied_command_prefixes +git push, rm/);
});

it("the detail of a setting says when a change does not count for open sessions", () => {
  expect(screen(0)).toContain("A change counts for new sessions, not for those that are open.");
  expect(screen(1)).not.toContain("A change counts");
});
