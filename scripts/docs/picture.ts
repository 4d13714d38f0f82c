// Draws the pictures of the documentation from the real window: npm run picture
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { takeAgentWalk } from "../../e2e/walks/agent-walk.ts";
import { prepareGateWalk, startGateWalk, takeGateWalk } from "../../e2e/walks/gate-walk.ts";
import { openProof, type Proof } from "../../e2e/walks/proof.ts";
import { takeWindowWalk } from "../../e2e/walks/window-walk.ts";

const folder = join(import.meta.dirname, "../../docs/pictures");

/** Each walk, with a function that stores the current screen. */
const walks: readonly {
  at: Omit<Parameters<typeof openProof>[0], "background">;
  take(proof: Proof, save: (name: string) => void): Promise<void>;
}[] = [
  {
    at: { columns: 100, rows: 36, scenario: "tour" },
    take: ({ window }, save) => takeWindowWalk(window, save),
  },
  {
    at: { columns: 104, rows: 24, scenario: "ten-decisions", prepare: prepareGateWalk },
    async take({ window }, save) {
      await startGateWalk(window);
      await takeGateWalk(window, ({ title }) => {
        if (title === "$ sed -i") save("command-card");
      });
    },
  },
  {
    at: { columns: 104, rows: 26, scenario: "two-agents" },
    take: ({ window }, save) =>
      takeAgentWalk(window, (name) => {
        if (name === "tree" || name === "reader") save(`agents-${name}`);
      }),
  },
];

mkdirSync(folder, { recursive: true });
for (const background of ["dark", "light"] as const) {
  for (const { at, take } of walks) {
    const proof = await openProof({ ...at, background });
    const save = (name: string) =>
      writeFileSync(join(folder, `${name}-${background}.svg`), proof.window.screenshotSvg());
    try {
      await take(proof, save);
    } finally {
      await proof.end();
    }
  }
}
