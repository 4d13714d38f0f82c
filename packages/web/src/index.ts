export { serveWeb, type WebDeps } from "./serve-web.ts";
