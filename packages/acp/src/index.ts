export type { AcpDeps } from "./acp-deps.ts";
export { serveAcp } from "./serve-acp.ts";
