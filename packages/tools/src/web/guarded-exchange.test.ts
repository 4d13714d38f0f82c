import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWeb } from "../../test/small-site.ts";
import { createTrial, type Trial } from "../../test/trial.ts";
import { createWebFetch } from "../web-fetch.ts";
import { connectionProblem } from "./connection-problem.ts";

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

describe.skipIf(!hasOpenssl)("a page behind TLS", () => {
  let trial: Trial;
  let server: Server;
  const trusted = getCACertificates("default");

  beforeAll(async () => {
    trial = createTrial();
    const [key, cert] = [join(trial.root, "key.pem"), join(trial.root, "cert.pem")];
    const made = "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=x -addext subjectAltName=DNS:www.example.org";
    spawnSync("openssl", [...made.split(" "), "-keyout", key, "-out", cert]);
    server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) =>
      response.writeHead(200, { "content-type": "text/plain" }).end("read in private"),
    );
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  });
  afterAll(async () => {
    setDefaultCACertificates(trusted);
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    trial.remove();
  });

  const get = (host: string) => {
    const { port } = server.address() as AddressInfo;
    const web = openWeb({ lookup: async () => [{ address: "127.0.0.1", family: 4 }] });
    web.allowed.push(`${host}:${port}`);
    return trial.run(createWebFetch(web), { url: `https://${host}:${port}/` });
  };

  it("is read only with a trusted certificate for its name", async () => {
    expect((await get("www.example.org")).text).toMatch(/is not issued by a trusted authority.*NODE_EXTRA_CA_CERTS/);
    setDefaultCACertificates([...trusted, readFileSync(join(trial.root, "cert.pem"), "utf8")]);
    expect((await get("www.example.org")).text).toContain("\n\nread in private\n");
    expect((await get("other.example.org")).text).toMatch(/its certificate is for another name, so nothing was read/);
  });
});

describe("connectionProblem", () => {
  it.each([
    ["CERT_HAS_EXPIRED", /not valid today/],
    ["ERR_TLS_CERT_ALTNAME_INVALID", /for another name/],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", /not issued by a trusted authority/],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", /not issued by a trusted authority/],
    ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", /client certificate/],
    ["CERT_REVOKED", /certificate is not valid/],
    ["EPROTO", /TLS/],
    ["ECONNREFUSED", /nothing answers/],
    ["EODD", /failed \(EODD\)/],
  ])("explains %s", (code, words) => {
    expect(connectionProblem(Object.assign(new Error("x"), { code }))).toMatch(words);
  });
});
