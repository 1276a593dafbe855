// Over TLS, with an authority of one's own, and with a certificate where the server wants one.
//
//   node build/examples/secure.js address ca.pem [client.pem client.key]

import { readFileSync } from "node:fs";
import { connect } from "@bgcore/client";

const [address = "127.0.0.1:50051", ca = "", cert = "", key = ""] = process.argv.slice(2);

const bgcore = connect(address, {
  tls: {
    ca: readFileSync(ca),
    ...(cert && { cert: readFileSync(cert), key: readFileSync(key) }),
  },
});

const { variants } = await bgcore.variants.listVariants({});
console.log(variants.map(({ id }) => id).join(" "));
bgcore.close();
