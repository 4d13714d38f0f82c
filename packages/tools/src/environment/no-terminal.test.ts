import { describe, expect, it } from "vitest";
import { noTerminalText } from "./no-terminal.ts";

describe("the model's view of a program that needs a terminal", () => {
  it.each([
    ["vi a.txt", "`vi` needs a terminal, and commands have none, so nothing of this was run. Use edit or write"],
    [
      "npm test; htop",
      "`htop` needs a terminal, and commands have none, so nothing of this was run. Use a program that",
    ],
    ["watch ls", "for i in 1 2 3; do COMMAND; sleep 2; done"],
    [
      "tmux new -s dev",
      "Use background: true for what keeps running, or start it detached (tmux new-session -d -s NAME COMMAND).",
    ],
    ["screen", "(screen -dmS NAME COMMAND)"],
    ["lazygit", "git log --oneline --graph"],
    ["dialog --yesno x 5 20", "Use question to ask the person."],
  ])("%s: %s", (command, words) => {
    expect(noTerminalText(command)).toContain(words);
  });

  it("is nothing of others", () => {
    expect(noTerminalText("less README.md; top -bn1; vim -es a -c wq")).toBeUndefined();
  });
});
