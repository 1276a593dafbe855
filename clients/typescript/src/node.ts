import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { Bgcore, type BgcoreOptions } from "./client.js";

export interface ConnectOptions extends BgcoreOptions {
  /** Encrypt. An address that starts with http:// or https:// says so itself. */
  readonly tls?: boolean;
}

/** A client of the server at `address`, such as "127.0.0.1:50051", over gRPC. The connection is made when needed. */
export function connect(address: string, options: ConnectOptions = {}): Bgcore {
  const baseUrl = /^https?:\/\//.test(address) ? address : `${options.tls ? "https" : "http"}://${address}`;
  const sessionManager = new Http2SessionManager(baseUrl);
  return new Bgcore(createGrpcTransport({ baseUrl, sessionManager }), options, () => sessionManager.abort());
}
