import { type OverlayRow, rowsOf } from "../overlay.ts";
import { AgentController } from "./agent-controller.ts";
import { agentTreeRows } from "./agent-tree-rows.ts";
import { agentTree } from "./state.ts";

export const agentsOverlay: OverlayRow<AgentController> = {
  rows: rowsOf(agentTree, agentTreeRows),
  create: (host) => new AgentController(host, host.session),
};
