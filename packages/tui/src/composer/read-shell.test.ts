import { expect, it } from "vitest";
import { readShell } from "./read-shell.ts";

it.each([
  ["!npm test", { command: "npm test", share: true }],
  ["  ! ls -la  ", { command: "ls -la", share: true }],
  ["!!cat notes", { command: "cat notes", share: false }],
  ["!cat <<E\na\nE", { command: "cat <<E\na\nE", share: true }],
  ["!", undefined],
  ["!!", undefined],
  ["!!! look", undefined],
  ["![picture](a.png)", undefined],
  ["Look! there", undefined],
])("the text %j is a command of the person: %j", (text, own) => {
  expect(readShell(text)).toEqual(own);
});
