export { ServerChecks } from "./checks/server-checks.ts";
export { LanguageServers } from "./pool/language-servers.ts";
export { serverLines } from "./pool/server-lines.ts";
export { serverRows } from "./rows/server-rows.ts";
