import { addressSettingOf, type FoundServer } from "@harness/protocol";
import { isOfItsKind } from "../catalogues/discovery.ts";
import { locate } from "../vendors/locate.ts";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import type { Vendor } from "../wires/endpoint/vendor.ts";
import { localOnlyProblem, type Sources, sourceRegistry, vendorEndpoint } from "./model-question.ts";

/** The vendor whose API most servers implement. */
const COMMON = "openai";

/** The problem is a sentence for people. */
export type ServerAt = { ok: true; server: FoundServer; vendor: Vendor } | { ok: false; problem: string };

/**
 * Finds out which server answers at an address that the user typed: a vendor's own, a kind of local server (on its
 * usual port if the port is missing), or else one that implements OpenAI's API. Never throws.
 */
export async function findServer(address: string, sources: Sources): Promise<ServerAt> {
  const { all } = sourceRegistry(sources);
  const common = sourceRegistry(sources).of(COMMON);
  if (!common) return { ok: false, problem: `There is no provider ${COMMON}.` };
  const located = locate(common, { baseUrl: withScheme(address) });
  if (!located.ok)
    return {
      ok: false,
      problem: `${JSON.stringify(address)} is not a valid address. Example: http://192.168.1.20:8080.`,
    };
  const hosted = all.find(
    (vendor) => !vendor.local && vendor.program === undefined && isHostOf(located.endpoint, vendor),
  );
  if (hosted) return answerOf(hosted, address, sources);
  const barrier = await localOnlyProblem(located.endpoint, sources);
  if (barrier !== undefined) return { ok: false, problem: barrier };
  const local = all.filter(({ local: isLocal, file }) => isLocal && file === undefined);
  const kinds = await Promise.all(
    local.map(async (vendor) => {
      const at = endpointAt(vendor, address, sources);
      return at !== undefined && (await isOfItsKind(at, sources.clock));
    }),
  );
  return answerOf(local.find((_, index) => kinds[index]) ?? common, address, sources);
}

async function answerOf(vendor: Vendor, address: string, sources: Sources): Promise<ServerAt> {
  const endpoint = endpointAt(vendor, address, sources);
  if (!endpoint) return { ok: false, problem: `${JSON.stringify(address)} is not an address of ${vendor.name}.` };
  const report = await sources.memory.lists.reportOfChosen(endpoint);
  const name = vendor.local || endpoint.usual ? vendor.name : "OpenAI-compatible server";
  const setting = addressSettingOf(vendor.baseUrlEnv);
  const about = {
    ...{ provider: vendor.id, name, address: `${endpoint.baseUrl}${endpoint.query ?? ""}` },
    ...(!endpoint.usual && setting !== undefined && { setting }),
  };
  if (report.reachable) {
    const models = [...report.models].sort((a, b) => Number(b.loaded ?? false) - Number(a.loaded ?? false));
    return { ok: true, vendor, server: { ...about, models: models.map(({ id }) => id) } };
  }
  if (report.wantsKey) return { ok: true, vendor, server: { ...about, models: [], wantsKey: true } };
  return { ok: false, problem: report.problem };
}

/** A key for the vendor's own address is not sent to the one that is being tried. */
function endpointAt(vendor: Vendor, address: string, sources: Sources): Endpoint | undefined {
  const baseUrl = vendor.local ? address : withScheme(address);
  const located = vendorEndpoint(vendor, { ...sources, env: { ...sources.env, [vendor.baseUrlEnv]: baseUrl } });
  if (!located.ok) return undefined;
  const { key, login, ...open } = located.endpoint;
  if (open.usual) return located.endpoint;
  return vendor.local ? open : { ...open, vendor: { ...vendor, name: "The server" } };
}

function isHostOf({ baseUrl }: Endpoint, vendor: Vendor): boolean {
  return new URL(baseUrl).host === new URL(vendor.baseUrl).host;
}

/** A private server rarely has a certificate: without a scheme, only public names are contacted with TLS. */
function withScheme(address: string): string {
  const text = address.trim();
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
  const plain = `http://${text.startsWith(":") ? `127.0.0.1${text}` : text}`;
  const url = URL.canParse(plain) ? new URL(plain) : undefined;
  const isPublic =
    url !== undefined &&
    url.port === "" &&
    /\.[a-z]{2,}$/i.test(url.hostname) &&
    !/\.(local|lan|internal)$/i.test(url.hostname);
  return isPublic ? `https://${text}` : plain;
}
