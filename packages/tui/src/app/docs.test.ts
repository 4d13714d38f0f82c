import { commandsOf } from "@harness/client/commands";
import { describe, expect, it } from "vitest";
import { knownCommands } from "../commands/command-list.ts";
import { keyLabel } from "../keymap/key-name.ts";
import { keyTables } from "../keymap/key-tables.ts";
import { screenKeys } from "../keymap/screen-keys.ts";
import { windowKeys } from "../keymap/window-keys.ts";
import { screens } from "../screens/index.ts";
import { closestNames } from "../text/closest-names.ts";
import { commandDocs, keyDocs, screenDocs } from "./docs.ts";

describe("the tables that help and pages are made of", () => {
  it("have a line for every screen and command", () => {
    expect(screenDocs().length).toBe(Object.keys(screens).length);
    expect(commandDocs().map(([usage]) => usage?.split(/[ ,]/)[0])).toEqual([
      ...commandsOf("window").map(({ names: [name] }) => `/${name}`),
      ...["!COMMAND", "!!COMMAND"],
    ]);
  });

  it("give no key two meanings in the same place", () => {
    const keys = keyTables.flatMap(({ where, rows }) =>
      rows.flatMap((row) => row.keys.map((key) => `${where} ${key}`)),
    );
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });

  it("promise no key that means the same everywhere for something else", () => {
    const everywhere = ["interrupt", "redraw", "suspend"].flatMap(
      (id) => windowKeys.rows.find((row) => row.id === id)?.keys ?? [],
    );
    const taken = [...everywhere, ...screenKeys.rows.flatMap(({ keys }) => keys)];
    const others = keyTables.filter(({ where }) => where !== windowKeys.where);
    expect(others.flatMap(({ rows }) => rows.flatMap(({ keys }) => keys)).filter((key) => taken.includes(key))).toEqual(
      [],
    );
    expect(keyDocs().find(([keys]) => keys === "Ctrl+X L")).toEqual(["Ctrl+X L", "anywhere", "History"]);
  });

  it("have a key without Alt for everything: terminals on macOS type letters with it", () => {
    const onlyAlt = keyTables.flatMap(({ where, rows }) =>
      rows.filter(({ keys }) => keys.every((key) => key.includes("alt+"))).map(({ id }) => `${where} ${id}`),
    );
    expect(onlyAlt).toEqual([]);
  });

  it("write keys as people do", () => {
    expect(keyLabel("ctrl+shift+z")).toBe("Ctrl+Shift+Z");
    expect(keyLabel("pageup")).toBe("PgUp");
  });
});

describe("commands", () => {
  const serverCommands = [
    { name: "compact", description: "Summarise", needsSession: true },
    { name: "clear", description: "Nor this one", needsSession: true },
    { name: "new", description: "Not this one", needsSession: true },
  ];

  it("of the server come after the window's own, whose names count", () => {
    const names = knownCommands({ serverCommands }).map((command) => command.names[0]);
    expect(names).toEqual([...commandsOf("window").map(({ names: [name] }) => name), "compact"]);
  });

  it.each([
    ["setings", ["settings"]],
    ["hist", ["history"]],
    ["comapct", ["compact"]],
    ["zzz", []],
  ])("/%s is close to %j", (typed, close) => {
    const names = knownCommands({ serverCommands }).flatMap((command) => command.names);
    expect(closestNames(typed, names)).toEqual(close);
  });
});
