import * as z from "zod";
import { agentModes } from "../choices.ts";

export const AgentMode = z.enum(agentModes);
export type AgentMode = z.infer<typeof AgentMode>;
