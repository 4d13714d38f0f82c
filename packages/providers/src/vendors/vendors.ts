import type { Vendor } from "../wires/endpoint/vendor.ts";
import { hostedVendors } from "./hosted-vendors.ts";
import { localVendors } from "./local-vendors.ts";
import { subscriptionVendors } from "./subscription-vendors.ts";

/** Local vendors first, then hosted ones by preference: the order of choice when none is named. */
export const vendors: readonly Vendor[] = [...localVendors, ...hostedVendors, ...subscriptionVendors];

/** The content of `.env.example`. */
export function envExample(): string {
  const lines = [
    "# Copy to ~/.config/harness/.env and fill in what you use; ~/.env counts as well. Of the .env file of a project, in",
    "# the working directory or above it, only the keys count, and only once you trust it (harness trust): a repository may",
    "# not choose who is talked to. A variable that the environment already has stays as it is there.",
  ];
  for (const vendor of vendors) {
    lines.push("", titleOf(vendor));
    if (vendor.apiElsewhere) lines.push("# The address may be that of any server that speaks chat completions.");
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
    return `# ${name}: a subscription; a token in place of \`harness auth login\`, or the client id for it (docs/auth.md).`;
  return local ? `# ${name}: on your own machine, needs no key.` : `# ${name}`;
}
