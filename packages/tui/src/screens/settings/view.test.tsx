import type { Hud, SettingView } from "@harness/protocol";
import { expect, it } from "vitest";
import { painterOf } from "../../../test/painter.ts";
import { TextBuffer } from "../../input/index.ts";
import { initialState } from "../../state/app-state.ts";
import { createStore } from "../../state/store.ts";
import { textOfRow } from "../../text/style.ts";
import { emptyKeys } from "./credentials-state.ts";
import { emptySettings } from "./state.ts";

const lists: SettingView[] = [
  {
    key: "auto_accept_safe_commands",
    title: "Run safe commands without asking",
    group: "Permissions",
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
    title: "Denied commands",
    group: "Permissions",
    doc: "Commands that begin with one of these never run, whatever a rule, a mode or an answer says about them.",
    type: "list",
    value: ["git push"],
    default: [],
    takesEffect: "now",
    source: "user",
  },
];

type ScreenOptions = { editing?: string; filter?: string; views?: SettingView[]; hud?: Hud };

function screen(selected: number, typed: ScreenOptions = {}, columns = 80, rows = 24): string {
  const start = initialState({ cwd: "/w", version: "1", size: { columns, rows } });
  const { editing, filter = "", views = lists, hud } = typed;
  const field = editing === undefined ? undefined : TextBuffer.of(editing);
  const settings = { ...emptySettings, views, selected, filter, editing: field };
  const slices = { settings: { settings, keys: emptyKeys } };
  const painter = painterOf(createStore({ ...start, hud, screen: "settings", slices }));
  const lines = painter.draw().rows.map((row) => textOfRow(row).trimEnd());
  painter.close();
  return lines.join("\n");
}

it("a changed list is one line in its group, with a mark and the place it comes from", () => {
  const text = screen(1);
  expect(text).toMatch(/ Permissions\n/);
  expect(text).toMatch(/ {3}Run safe commands without asking +• npm test, make, cargo build .*…\n/);
  expect(text).toMatch(/ › Denied commands +• git push {2}settings\.json\n/);
});

it("a model that is not set is named as the one in use", () => {
  const plain = {
    group: "Model",
    doc: "",
    type: "text",
    default: null,
    takesEffect: "now",
    source: "default",
  } as const;
  const views: SettingView[] = [
    { ...plain, key: "provider", title: "Provider", value: "" },
    { ...plain, key: "model", title: "Model", value: null },
    { ...plain, key: "small_model", title: "Small model", value: null },
  ];
  const hud = { permissionMode: "default", mode: "agent", agentsRunning: 0, queued: 0 } as const;
  const text = screen(2, { views, hud: { ...hud, provider: "openai", model: "scripted-model" } });
  expect(text).toMatch(/Provider +\(not set: openai is used\)/);
  expect(text).toMatch(/ Model +\(not set: scripted-model is used\)/);
  const local = { ...hud, provider: "openai", model: "scripted-model", place: "at 127.0.0.1:8080" };
  expect(screen(2, { views, hud: local })).toMatch(/Provider +\(not set: 127\.0\.0\.1:8080 is used\)/);
  const ollama = { ...hud, provider: "ollama", model: "a", place: "at 127.0.0.1:11434 (Ollama)" };
  expect(screen(2, { views, hud: ollama })).toMatch(/Provider +\(not set: ollama is used\)/);
  expect(text).toMatch(/Small model +\(not set\)/);
  expect(screen(2, { views })).toMatch(/Provider +\(not set\)/);
});

it("the key stands beside the name where there is room, and in the detail", () => {
  expect(screen(1, {}, 120)).toMatch(/Denied commands +denied_command_prefixes +• git push/);
  expect(screen(1)).toMatch(/denied_command_prefixes in settings\.json; a change takes effect at once\./);
});

it("the detail of a list says how entries are separated, and which are the user's own when a project adds some", () => {
  expect(screen(0)).toContain("Separate entries with commas. The project adds to yours:");
  expect(screen(0)).toContain("Default: (not set)");
  expect(screen(1)).toContain("Separate entries with commas.\n");
  expect(screen(1, { editing: "git push, rm" })).toContain("Denied commands: git push, rm");
});

it("the detail of a setting says when a change takes effect", () => {
  expect(screen(0)).toMatch(/takes effect in new\s+sessions, not in those that are open\./);
});

it("a filter leaves the settings that have its words, or says that there is none", () => {
  const found = screen(0, { filter: "denied comm" });
  expect(found).toContain("Settings  filter: denied comm");
  expect(found).toContain("› Denied commands");
  expect(found).not.toContain("Run safe commands");
  expect(screen(0, { filter: "nothing like it" })).toContain("No setting matches.");
});

it("says what Enter does to a value that is typed", () => {
  expect(screen(0)).toContain("Enter edit · ");
});

it("keeps a value that is typed in view in the smallest window, whatever there is to say about the setting", () => {
  expect(screen(1, { editing: "npm test" }, 40, 8)).toContain("Denied commands: npm test");
  // A long title is cut: "Run safe commands without asking".
  expect(screen(0, { editing: "make lint" }, 40, 8)).toContain(" Run safe commands with… make lint");
});
