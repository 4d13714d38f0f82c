import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * `public`: on the internet. `own`: this machine and private networks. `metadata`: cloud services that hand out keys to
 * every process inside. `odd`: everything else, such as tunnels, test networks and multicast, where there are no pages.
 */
export type AddressClass = "public" | "own" | "metadata" | "odd";

const metadata: ReadonlySet<string> = new Set([
  // AWS, Google, Azure, DigitalOcean and others; its name server and time server; containers; Alibaba; Azure; Oracle.
  "169.254.169.254",
  "169.254.169.253",
  "169.254.169.123",
  "169.254.170.2",
  "169.254.170.23",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "fd00:ec2::254",
  "fd00:ec2::253",
  "fd00:ec2::23",
  "fd20:ce::254",
]);
const own: ReadonlySet<string> = new Set([
  "unspecified",
  "loopback",
  "private",
  "linkLocal",
  "uniqueLocal",
  "carrierGradeNat",
  "deprecatedSiteLocal",
]);

/** The class of an address; IPv4 within IPv6 is judged as IPv4. Text that is not an address is odd. */
export function addressClass(address: string): AddressClass {
  const plain = address.replace(/%.*$/, "");
  if (isIP(plain) === 0) return "odd";
  const parsed = plainOf(ipaddr.parse(plain));
  if (metadata.has(parsed.toString())) return "metadata";
  const range = parsed.range();
  if (own.has(range)) return "own";
  if (range !== "unicast") return "odd";
  return parsed instanceof ipaddr.IPv6 && !isGlobal(parsed) ? "odd" : "public";
}

/** Mapped (::ffff:1.2.3.4) and compatible (::1.2.3.4) addresses lead to the IPv4 address in them. */
function plainOf(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (address instanceof ipaddr.IPv4) return address;
  const [, , , , , middle, high = 0, low = 0] = address.parts;
  const isWrapped = address.parts.slice(0, 5).every((part) => part === 0) && (middle === 0 || middle === 0xffff);
  // ::, ::1 and their neighbours are genuine IPv6 addresses.
  if (!isWrapped || (middle === 0 && high === 0)) return address;
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}

/** Only this eighth has been allocated (RFC 4291, 2.4). */
function isGlobal(address: ipaddr.IPv6): boolean {
  return (address.parts[0] ?? 0) >> 13 === 1;
}
