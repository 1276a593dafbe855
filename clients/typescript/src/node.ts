import type { SecureContextOptions } from "node:tls";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { Bgcore, BGCORE_OPTIONS, type BgcoreOptions } from "./client.js";
import { known, type Keys } from "./given.js";

export interface ConnectOptions extends BgcoreOptions {
  /**
   * Encrypt, with an authority or a certificate of your own if there is more to say: `ca`, `cert` and `key` as Node's
   * TLS takes them. An address that starts with http:// or https:// says itself whether it is encrypted.
   */
  readonly tls?: boolean | TlsOptions;
}

/** In PEM: who may have signed the server's certificate, and, for mutual TLS, our own certificate and its key. */
export type TlsOptions = Pick<SecureContextOptions, "ca" | "cert" | "key">;

const CONNECT_OPTIONS: Keys<ConnectOptions> = { tls: true, ...BGCORE_OPTIONS };

/** A client of the server at `address`, such as "127.0.0.1:50051", over gRPC. The connection is made when needed. */
export function connect(address: string, options: ConnectOptions = {}): Bgcore {
  const { tls = false, ...rest } = known("connect", options, CONNECT_OPTIONS);
  const baseUrl = /^https?:\/\//.test(address) ? address : `${tls ? "https" : "http"}://${address}`;
  const files = typeof tls === "object" ? tls : {};
  const sessionManager = new Http2SessionManager(baseUrl, {}, files);
  return new Bgcore(createGrpcTransport({ baseUrl, sessionManager }), rest, () => sessionManager.abort());
}
