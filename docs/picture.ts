// Draws the pictures of the README from the real window: npm run picture
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { takeAgentWalk } from "./agent-walk.ts";
import { prepareGateWalk, startGateWalk, takeGateWalk } from "./gate-walk.ts";
import { allowUntil, openProof } from "./proof.ts";

const proof = await openProof({ columns: 92, rows: 36 });
const { window } = proof;
const save = (name: string) => writeFileSync(join(import.meta.dirname, name), window.screenshotSvg());
try {
  await window.waitFor("Ask, or say what to do");
  window.type("fix the failing test");
  await window.waitFor("fix the failing test");
  window.press("enter");
  // The last dialog is kept: it asks for an edit and shows its diff.
  await allowUntil(window, "The tests are green", () => {
    if (window.screen().some((row) => row.includes("modify "))) save("permission.svg");
  });
  await window.waitFor("Changed 1 file");
  save("window.svg");
} finally {
  await proof.end();
}

const walk = await openProof({ columns: 104, rows: 24, scenario: "ten-decisions", prepare: prepareGateWalk });
try {
  await startGateWalk(walk.window);
  await takeGateWalk(walk.window, ({ title }) => {
    if (title === "bash sed -i")
      writeFileSync(join(import.meta.dirname, "command-card.svg"), walk.window.screenshotSvg());
  });
} finally {
  await walk.end();
}

const agents = await openProof({ columns: 104, rows: 26, scenario: "two-agents" });
try {
  await takeAgentWalk(agents.window, (name) => {
    if (name === "tree" || name === "reader")
      writeFileSync(join(import.meta.dirname, `agents-${name}.svg`), agents.window.screenshotSvg());
  });
} finally {
  await agents.end();
}
