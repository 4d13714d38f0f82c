import { describe, expect, it } from "vitest";
import { isOwnNetwork } from "./own-network.ts";

const own =
  "127.0.0.1 127.9.9.9 0.0.0.0 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.3.4 100.64.0.1 :: ::1 fe80::1 fe80::1%eth0 fc00::1 fd12:3456::1 ::ffff:10.0.0.1 ::ffff:7f00:1";
const others =
  "8.8.8.8 11.0.0.1 172.15.0.1 172.32.0.1 192.169.0.1 100.63.0.1 100.128.0.1 198.18.0.1 0.0.0.1 2606:4700::1 64:ff9b::7f00:1 2002:7f00:1:: 2001::1 ff02::1 fec0::1 ::ffff:8.8.8.8 169.254.169.254 ::ffff:169.254.169.254 169.254.170.2 100.100.100.200 fd00:ec2::254 fd20:ce::254 169.254.169.123 localhost example.com 127.1 0x7f000001 1.2.3 ''";

describe("an address of this machine or of a private network", () => {
  it.each(own.split(" "))("includes %s", (address) => expect(isOwnNetwork(address)).toBe(true));
  it.each(others.split(" "))("excludes %s", (address) => expect(isOwnNetwork(address)).toBe(false));
});
