export { LoginError, type LoginSession } from "../wires/endpoint/login-session.ts";
export { createLogin } from "./create-login.ts";
export { type LoginTarget, type LoginVendor, locateLogin } from "./login-target.ts";
export { type LoginOutcome, type LoginPorts, type StartedLogin, startLogin } from "./start-login.ts";
export type { HeldTokens, TokenStore, Tokens } from "./token-store.ts";
