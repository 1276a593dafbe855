// A server in memory: what the tests want it to answer.

import { Code, ConnectError, createRouterTransport, type Interceptor, type ServiceImpl } from "@connectrpc/connect";
import { Bgcore, v1, type Retry } from "@bgcore/client";
import { ErrorInfoSchema, RetryInfoSchema } from "../src/gen/google/rpc/error_details_pb.js";

export const QUICK: Retry = { attempts: 4, delayMs: 1, maxDelayMs: 4 };

type Tables = Partial<ServiceImpl<typeof v1.TableService>>;

export function fake(tables: Tables, shown: string[] = []): Bgcore {
  // Unless a test says more, its tables have dice that are not committed.
  const all: Tables = { getTable: ({ table }) => ({ table: { id: table } }), ...tables };
  const note: Interceptor = (next) => (call) => {
    shown.push(call.header.get("authorization")?.replace("Bearer ", "") ?? "");
    return next(call);
  };
  const transport = createRouterTransport(({ service }) => void service(v1.TableService, all), {
    transport: { interceptors: [note] },
  });
  return new Bgcore(transport, { retry: QUICK });
}

/** A refusal that says when there is room again. */
export function tooOften(milliseconds: number): ConnectError {
  const info = { desc: ErrorInfoSchema, value: { domain: "bgcore", reason: "TOO_MANY_REQUESTS" } };
  const retryDelay = { seconds: BigInt(Math.floor(milliseconds / 1000)), nanos: (milliseconds % 1000) * 1e6 };
  const later = { desc: RetryInfoSchema, value: { retryDelay } };
  return new ConnectError("too often", Code.ResourceExhausted, undefined, [info, later]);
}

/** A refusal as the server sends it. */
export function refusal(code: Code, reason: string, metadata: Record<string, string> = {}): ConnectError {
  const info = { desc: ErrorInfoSchema, value: { domain: "bgcore", reason, metadata } };
  return new ConnectError(`${reason} happened`, code, undefined, [info]);
}

export const unavailable = () => refusal(Code.Unavailable, "STOPPING");
