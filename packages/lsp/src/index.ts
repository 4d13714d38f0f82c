export { ServerChecks } from "./checks/server-checks.ts";
export { fileText } from "./pool/file-text.ts";
export { LanguageServers, type LanguageServersOptions } from "./pool/language-servers.ts";
export { serverLines } from "./pool/server-lines.ts";
export { mergedRows, readServerRows } from "./rows/read-server-rows.ts";
export { serverRows } from "./rows/server-rows.ts";
export { navigationTools } from "./tools/navigation-tools.ts";
export { type RenamedLine, renamedLines } from "./tools/renamed-lines.ts";
export { absolute, askAbout } from "./tools/server-questions.ts";
