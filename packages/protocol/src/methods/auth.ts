import * as z from "zod";
import { notification, request } from "./table.ts";

/** A key or login for a vendor, without the secret itself. */
export const CredentialView = z.object({
  provider: z.string(),
  name: z.string(),
  kind: z.enum(["apiKey", "login"]),
  /** First and last four characters; short ones are all dots. */
  masked: z.string(),
  /** `env` and `dotenv` cannot be changed by harness. */
  source: z.enum(["env", "dotenv", "keyring", "file"]),
  /** The variable or file it comes from. */
  from: z.string(),
  /** A stronger source takes precedence, so it is not used now. */
  unused: z.boolean().optional(),
  account: z.string().optional(),
  expiresAt: z.string().optional(),
  savedAt: z.string().optional(),
});
export type CredentialView = z.infer<typeof CredentialView>;

/** Problems that remain after a success, as sentences; absent if there are none. */
const problems = z.array(z.string()).optional();

/** Secrets go in over this wire and never come out; see docs/auth.md. */
export const authMethods = {
  "auth/list": request({
    doc: "The keys and logins, masked.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({ provider: z.string().optional() }),
    result: z.object({ credentials: z.array(CredentialView), problems: z.array(z.string()) }),
  }),
  "auth/set": request({
    doc: "Stores a key for a provider, in place of any it had. The answer says where; it never repeats the key.",
    lane: "global",
    idempotent: true,
    access: "control",
    params: z.object({ provider: z.string(), key: z.string().min(1).max(16_384) }),
    result: z.object({ credential: CredentialView, problems: z.array(z.string()) }),
  }),
  "auth/obtain": request({
    doc: "Stores the key that the hooks of the stage `auth-set` have for a provider, if there is one: `credential` is absent where they have none.",
    lane: "global",
    idempotent: true,
    access: "control",
    params: z.object({ provider: z.string() }),
    result: z.object({ credential: CredentialView.optional(), problems: z.array(z.string()) }),
  }),
  "auth/remove": request({
    doc: "Removes the stored key or login of a provider.",
    lane: "global",
    idempotent: true,
    access: "control",
    params: z.object({ provider: z.string() }),
    result: z.object({ removed: z.boolean(), problems }),
  }),
  "auth/login": request({
    doc: "Starts a login in the browser. The person opens `url`; `auth/login_update` reports its end. Where no browser can reach this machine, the final address is given to `auth/paste`.",
    lane: "global",
    idempotent: false,
    access: "control",
    params: z.object({ provider: z.string() }),
    result: z.object({
      loginId: z.string(),
      url: z.string(),
      /** Where the browser returns to; absent if nothing listens, and the answer must be pasted. */
      redirect: z.string().optional(),
      /** Instructions for the paste. */
      paste: z.string(),
      expiresAt: z.string(),
    }),
  }),
  "auth/paste": request({
    doc: "Completes a login with the text that the browser shows at its end: the whole address, or `CODE#STATE`.",
    lane: "global",
    idempotent: false,
    access: "control",
    params: z.object({ loginId: z.string(), text: z.string().max(16_384) }),
    result: z.object({ credential: CredentialView, problems }),
  }),
  "auth/cancel": request({
    doc: "Cancels a login that was started.",
    lane: "free",
    idempotent: true,
    access: "control",
    params: z.object({ loginId: z.string() }),
    result: z.object({}),
  }),
};

export const authNotifications = {
  "auth/login_update": notification({
    doc: "A login ended: with the credential, or with a sentence that says why it failed.",
    params: z.object({
      loginId: z.string(),
      provider: z.string(),
      credential: CredentialView.optional(),
      /** Why there is none. */
      problem: z.string().optional(),
      problems,
    }),
  }),
};
