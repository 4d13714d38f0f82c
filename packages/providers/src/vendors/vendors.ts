import type { Vendor } from "../wires/endpoint/vendor.ts";
import { hostedVendors } from "./hosted-vendors.ts";
import { localVendors } from "./local-vendors.ts";
import { subscriptionVendors } from "./subscription-vendors.ts";

/** Local vendors first, then hosted ones by preference: the order of choice if none is named. */
export const vendors: readonly Vendor[] = [...localVendors, ...hostedVendors, ...subscriptionVendors];

/** The content of `.env.example`. */
export function envExample(): string {
  const lines = [
    "# Copy this to ~/.config/harness/.env and fill in what you use; ~/.env works too. Variables that are already set in",
    "# the environment win. From a project's .env, in the working folder or above, harness takes only the keys, and only",
    "# once you trust the folder (harness trust): a repository cannot choose where requests go.",
  ];
  for (const vendor of vendors) {
    lines.push("", titleOf(vendor));
    if (vendor.apiElsewhere) lines.push("# The address can be any server with an OpenAI-compatible API.");
    const keys = [vendor.keyEnv, ...(vendor.otherKeyEnvs ?? [])].map((name) => `# ${name}=`);
    const address = `# ${vendor.baseUrlEnv}=${vendor.baseUrl}`;
    lines.push(...(vendor.local ? [address, ...keys] : [...keys, address]));
    lines.push(...Object.values(vendor.headersFromEnv ?? {}).map((name) => `# ${name}=`));
    if (vendor.login) lines.push(`# ${vendor.login.clientIdEnv}=`);
  }
  return `${lines.join("\n")}\n`;
}

function titleOf({ name, local, login }: Vendor): string {
  if (login)
    return `# ${name} subscription: the client id for \`harness auth login\`, or a token instead of a login (docs/auth.md).`;
  return local ? `# ${name}: on your own machine, needs no key.` : `# ${name}`;
}
