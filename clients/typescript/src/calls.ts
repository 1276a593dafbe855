import type { DescMessage, DescService } from "@bufbuild/protobuf";
import { Code, createClient, type CallOptions, type Client, type Transport } from "@connectrpc/connect";
import { BgcoreError } from "./errors.js";

/** How to go on when the server does not answer. */
export interface Retry {
  /** Tries in a row, the first included. */
  readonly attempts: number;
  /** Wait before the second try, milliseconds; it doubles from try to try. */
  readonly delayMs: number;
  /** Longest wait, milliseconds. */
  readonly maxDelayMs: number;
}

/** Nine tries in about ten seconds: time for a server to start again. */
export const RETRY: Retry = { attempts: 9, delayMs: 50, maxDelayMs: 3000 };

/** What all calls of a client share. */
export interface Line {
  readonly retry: Retry;
  /** Aborted when the client is closed. */
  readonly closed: AbortSignal;
}

/** A service's calls, which throw `BgcoreError` only. */
export type Calls<S extends DescService> = Client<S>;

type Request = Record<string, unknown>;
type Unary = (request: Request, options?: CallOptions) => Promise<unknown>;
type Stream = (request: Request, options?: CallOptions) => AsyncIterable<unknown>;

/**
 * The calls of a service. A request that may have a request id gets one, so that every call can be repeated: while the
 * server is unavailable it is, with the same id. Streams are not repeated.
 */
export function calls<S extends DescService>(service: S, transport: Transport, line: Line): Calls<S> {
  const plain = createClient(service, transport) as Record<string, unknown>;
  const wrapped: Record<string, Unary | Stream> = {};
  for (const { localName, methodKind, input } of service.methods) {
    if (methodKind === "unary") {
      const call = plain[localName] as Unary;
      wrapped[localName] = (request, options) => {
        const repeatable = withId(input, request);
        return repeated(() => call(repeatable, options), line, options?.signal);
      };
    } else {
      const call = plain[localName] as Stream;
      wrapped[localName] = (request, options) => translated(call(request, options), options?.signal);
    }
  }
  return wrapped as Calls<S>;
}

function withId(input: DescMessage, request: Request): Request {
  const named = input.fields.some(({ localName }) => localName === "requestId");
  return named && !request.requestId ? { ...request, requestId: crypto.randomUUID() } : request;
}

async function repeated<T>(call: () => Promise<T>, { retry, closed }: Line, signal?: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      if (closed.aborted) throw new BgcoreError(Code.Canceled, "", "the client is closed");
      return await call();
    } catch (thrown) {
      const error = BgcoreError.of(thrown, signal);
      if (error.code !== Code.Unavailable || attempt >= retry.attempts) throw error;
      await pause(retry, attempt, signal ? AbortSignal.any([signal, closed]) : closed);
    }
  }
}

async function* translated<T>(stream: AsyncIterable<T>, signal?: AbortSignal): AsyncGenerator<T> {
  try {
    yield* stream;
  } catch (thrown) {
    throw BgcoreError.of(thrown, signal);
  }
}

/** Wait after the given number of tries, somewhat at random lest all clients come at once; no longer than wanted. */
export function pause(retry: Retry, attempt: number, unwanted: AbortSignal): Promise<void> {
  const longest = Math.min(retry.delayMs * 2 ** (attempt - 1), retry.maxDelayMs);
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      unwanted.removeEventListener("abort", over);
      resolve();
    };
    const timer = setTimeout(over, longest * (0.75 + Math.random() / 4));
    if (unwanted.aborted) over();
    else unwanted.addEventListener("abort", over);
  });
}
