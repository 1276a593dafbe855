/**
 * The client for browsers, where `connect` takes the HTTP port: the same tables, seats, watches and errors.
 *
 * The server must list the page's origin (`bgcore serve --cors ORIGIN`).
 */
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-web";
import { Bgcore, BGCORE_OPTIONS, type BgcoreOptions } from "./client.js";
import { known, type Keys } from "./given.js";

export * from "./everywhere.js";

export interface WebOptions extends BgcoreOptions {
  /** How to speak; without: Connect with JSON, which the browser's own tools show in words. */
  readonly protocol?: "connect-json" | "connect" | "grpc-web";
}

const WEB_OPTIONS: Keys<WebOptions> = { protocol: true, ...BGCORE_OPTIONS };

/** A client of the server whose HTTP port is at `baseUrl`, such as "https://bgcore.example". */
export function connect(baseUrl: string, wanted: WebOptions = {}): Bgcore {
  const { protocol = "connect-json", ...options } = known("connect", wanted, WEB_OPTIONS);
  const transport =
    protocol === "grpc-web"
      ? createGrpcWebTransport({ baseUrl })
      : createConnectTransport({ baseUrl, useBinaryFormat: protocol === "connect" });
  return new Bgcore(transport, options);
}
