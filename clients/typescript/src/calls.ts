import type { DescMessage, DescService } from "@bufbuild/protobuf";
import { Code, createClient, type CallOptions, type Client, type Transport } from "@connectrpc/connect";
import { BgcoreError } from "./errors.js";
import { checkMessage, type Keys } from "./given.js";

/** How to go on when the server does not answer. */
export interface Retry {
  /** Tries in a row, the first included. */
  readonly attempts: number;
  /** Wait before the second try, milliseconds; it doubles from try to try. */
  readonly delayMs: number;
  /**
   * Longest wait, milliseconds. A server that has too much to do may ask for a longer one: then the call fails, and
   * `error.retryAfterMs` says how long.
   */
  readonly maxDelayMs: number;
}

/** The token of an account, or what gives it for each attempt, as such tokens do not last. Empty: none. */
export type Account = string | (() => string | Promise<string>);

/** Nine tries in about ten seconds: time for a server to start again. */
export const RETRY: Retry = { attempts: 9, delayMs: 50, maxDelayMs: 3000 };

/** What all calls of a client share. */
export interface Line {
  readonly retry: Retry;
  /** Shown wherever nothing else is. */
  readonly account: Account;
  /** Aborted when the client is closed. */
  readonly closed: AbortSignal;
}

/** What any call takes beside what it asks. */
export interface Calling {
  readonly signal?: AbortSignal;
}

export const CALLING: Keys<Calling> = { signal: true };

/** A service's calls, which throw `BgcoreError`, and `TypeError` for a request with a key or a value that it cannot have. */
export type Calls<S extends DescService> = Client<S>;

type Request = Record<string, unknown>;
type Unary = (request: Request, options?: CallOptions) => Promise<unknown>;
type Stream = (request: Request, options?: CallOptions) => AsyncIterable<unknown>;

/** What must not be repeated, as it has no request id: the second time it might send somebody else away. */
const UNSAFE: ReadonlySet<string> = new Set(["leaveTable"]);

/**
 * The calls of a service. A request that may have a request id gets one, so that a call can be repeated: while the
 * server is unavailable it is, with the same id. `leaveTable`, which has none, is not, nor are streams.
 */
export function calls<S extends DescService>(service: S, transport: Transport, line: Line): Calls<S> {
  const plain = createClient(service, transport) as Record<string, unknown>;
  const wrapped: Record<string, Unary | Stream> = {};
  for (const { localName, methodKind, input } of service.methods) {
    if (methodKind === "unary") {
      const call = plain[localName] as Unary;
      wrapped[localName] = async (request, options) => {
        checkMessage(input, request, localName);
        const repeatable = withId(input, request);
        const attempt = async () => call(repeatable, await proved(options, line));
        return repeated(attempt, line, !UNSAFE.has(localName), options?.signal);
      };
    } else {
      const call = plain[localName] as Stream;
      wrapped[localName] = (request, options) => {
        checkMessage(input, request, localName);
        return translated(async () => call(request, await proved(options, line)), options?.signal);
      };
    }
  }
  return wrapped as Calls<S>;
}

function withId(input: DescMessage, request: Request): Request {
  const named = input.fields.some(({ localName }) => localName === "requestId");
  return named && !request.requestId ? { ...request, requestId: crypto.randomUUID() } : request;
}

/** The headers of a call that shows a token; without one it shows nothing. */
export function bearer(token: string): CallOptions {
  return token ? { headers: { authorization: `Bearer ${token}` } } : {};
}

/** The options of a call that shows the account, unless it shows something else. */
async function proved(options: CallOptions | undefined, { account }: Line): Promise<CallOptions | undefined> {
  if (!account || new Headers(options?.headers).has("authorization")) return options;
  const { headers } = bearer(typeof account === "string" ? account : await account());
  return { ...options, headers: { ...Object.fromEntries(new Headers(options?.headers)), ...headers } };
}

/** Whether trying again after an error may help, and is safe. Where the server asks for time, nothing was done. */
export function helps(retry: Retry, { code, retryAfterMs }: BgcoreError, attempt: number, safe: boolean): boolean {
  if (attempt >= retry.attempts) return false;
  if (retryAfterMs !== undefined) return retryAfterMs <= retry.maxDelayMs;
  return safe && code === Code.Unavailable;
}

async function repeated<T>(
  call: () => Promise<T>,
  { retry, closed }: Line,
  safe: boolean,
  signal?: AbortSignal,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      if (closed.aborted) throw new BgcoreError(Code.Canceled, "", "the client is closed");
      return await call();
    } catch (thrown) {
      const error = BgcoreError.of(thrown, signal);
      if (!helps(retry, error, attempt, safe)) throw error;
      await pause(retry, attempt, signal ? AbortSignal.any([signal, closed]) : closed, error);
    }
  }
}

async function* translated<T>(stream: () => Promise<AsyncIterable<T>>, signal?: AbortSignal): AsyncGenerator<T> {
  try {
    yield* await stream();
  } catch (thrown) {
    throw BgcoreError.of(thrown, signal);
  }
}

/**
 * Wait after the given number of tries, somewhat at random lest all clients come at once, and at least as long as the error
 * asks for; no longer than wanted.
 */
export function pause(retry: Retry, attempt: number, unwanted: AbortSignal, error?: BgcoreError): Promise<void> {
  const longest = Math.min(retry.delayMs * 2 ** (attempt - 1), retry.maxDelayMs);
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      unwanted.removeEventListener("abort", over);
      resolve();
    };
    const timer = setTimeout(over, (error?.retryAfterMs ?? 0) + longest * (0.75 + Math.random() / 4));
    if (unwanted.aborted) over();
    else unwanted.addEventListener("abort", over);
  });
}
