import { BlockList, isIP, isIPv6 } from "node:net";

/** This machine; RFC 1918, 4193, 3927, 4291; and 6598, which overlay networks such as Tailscale use. */
const OWN = [
  ["0.0.0.0", 32],
  ["127.0.0.0", 8],
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["169.254.0.0", 16],
  ["100.64.0.0", 10],
  ["::", 127],
  ["fc00::", 7],
  ["fe80::", 10],
] as const;

/**
 * Metadata services of clouds, which give keys to any request from inside: private by address, but never the user's
 * own.
 */
const METADATA = [
  "169.254.169.254",
  "169.254.169.253",
  "169.254.169.123",
  "169.254.170.2",
  "169.254.170.23",
  "100.100.100.200",
  "fd00:ec2::254",
  "fd00:ec2::253",
  "fd00:ec2::23",
  "fd20:ce::254",
];

/** True for an address of this machine or of a private network. An IPv4 address mapped into IPv6 is judged as IPv4. */
export function isOwnNetwork(address: string): boolean {
  return isPrivateAddress(address) && !isMetadataService(address);
}

/** Like `isOwnNetwork`, but also true for the metadata services. */
export function isPrivateAddress(address: string): boolean {
  const plain = withoutZone(address);
  return isIP(plain) !== 0 && ownAddresses().check(plain, familyOf(plain));
}

function isMetadataService(address: string): boolean {
  const plain = withoutZone(address);
  return metadataAddresses().check(plain, familyOf(plain));
}

function withoutZone(address: string): string {
  return address.replace(/%.*$/, "");
}

// Created for each call, which takes microseconds: a start-up snapshot cannot contain these lists.
function ownAddresses(): BlockList {
  const list = new BlockList();
  for (const [net, bits] of OWN) list.addSubnet(net, bits, familyOf(net));
  return list;
}

function metadataAddresses(): BlockList {
  const list = new BlockList();
  for (const each of METADATA) list.addAddress(each, familyOf(each));
  return list;
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIPv6(address) ? "ipv6" : "ipv4";
}
