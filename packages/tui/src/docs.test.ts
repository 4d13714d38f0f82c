import { describe, expect, it } from "vitest";
import { windowCommand, windowCommands } from "./commands/index.ts";
import { knownCommands } from "./commands/known-commands.ts";
import { commandDocs, keyDocs, keyLabel, screenDocs } from "./docs.ts";
import { keyBindings } from "./keymap/input-keys.ts";
import { windowKeys } from "./keymap/window-keys.ts";
import { screenRows } from "./screens/screen-rows.ts";
import { closestNames } from "./text/closest-names.ts";

describe("the tables that help and pages are made of", () => {
  it("have a line for every screen and command", () => {
    expect(screenDocs().length).toBe(Object.keys(screenRows).length);
    expect(commandDocs().map(([usage]) => usage?.split(/[ ,]/)[0])).toEqual(
      Object.keys(windowCommands).map((name) => `/${name}`),
    );
  });

  it("give no key two meanings in one place", () => {
    for (const rows of [keyBindings, windowKeys]) {
      const keys = rows.flatMap((row) => row.keys.map((key) => `${row.where} ${key}`));
      expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
    }
  });

  it("do not promise a key that another place takes first", () => {
    const inputs = keyDocs().filter(([, where]) => where === "input");
    expect(inputs.flatMap(([keys]) => keys?.split(", ") ?? [])).not.toContain("Ctrl+Z");
    expect(keyDocs().find(([keys]) => keys === "Ctrl+Z")?.[1]).toBe("anywhere");
  });

  it("write keys as people do", () => {
    expect(keyLabel("ctrl+shift+z")).toBe("Ctrl+Shift+Z");
    expect(keyLabel("pageup")).toBe("PageUp");
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
    expect(names).toEqual([...Object.keys(windowCommands), "compact"]);
  });

  it("have aliases", () => {
    expect(windowCommand("clear")).toBe(windowCommands.new);
    expect(windowCommand("usage")).toBe(windowCommands.cost);
    expect(windowCommand("hasOwnProperty")).toBeUndefined();
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
