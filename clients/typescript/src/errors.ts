import { Code, ConnectError } from "@connectrpc/connect";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  PreconditionFailureSchema,
  RetryInfoSchema,
} from "./gen/google/rpc/error_details_pb.js";

/** What a call over a broken connection ends with, depending on the moment. The server sends none without a reason. */
const BROKEN: ReadonlySet<Code> = new Set([Code.Aborted, Code.Canceled, Code.Internal, Code.Unknown]);

/** One of several things that are wrong: where, and what of it, for people. */
export interface Violation {
  /** A path in the request, such as `variant.spec.axes["contact"]`, or what of the table's state is not so. */
  readonly subject: string;
  readonly description: string;
}

/**
 * A call that failed: refused by the server, which says why in `reason` and `metadata`, or not answered, with an empty
 * `reason`. Whatever breaks the connection has the code `Unavailable`.
 */
export class BgcoreError extends Error {
  override readonly name = "BgcoreError";

  constructor(
    /** The canonical code of gRPC. */
    readonly code: Code,
    /** The stable reason, such as `POINT_CLOSED`; empty if the server did not give one. */
    readonly reason: string,
    /** For people: what is wrong, and what was expected. */
    message: string,
    /** What the reason is about: some of `field`, `value`, `expected`, `rule`, `step`. */
    readonly metadata: Readonly<Record<string, string>> = {},
    options?: ErrorOptions,
    /** With `ResourceExhausted`: after how many milliseconds trying again may help, if the server says so. */
    readonly retryAfterMs?: number,
    /** All things that are wrong, as far as the server names them, at most twelve. */
    readonly violations: readonly Violation[] = [],
  ) {
    super(message, options);
  }

  /** The table has moved on since the revision that was acted on. */
  get stale(): boolean {
    return this.code === Code.Aborted;
  }

  /** Index from 0 of the step of a play that the rules forbid. */
  get step(): number | undefined {
    return this.metadata.step === undefined ? undefined : Number(this.metadata.step);
  }

  /** Anything thrown by a call as a `BgcoreError`; `signal` is the caller's, to tell his cancelling from a break. */
  static of(thrown: unknown, signal?: AbortSignal): BgcoreError {
    if (thrown instanceof BgcoreError) return thrown;
    const error = ConnectError.from(thrown);
    const info = error.findDetails(ErrorInfoSchema).find(({ domain }) => domain === "bgcore");
    const broken = !info && !signal?.aborted && BROKEN.has(error.code);
    const code = broken ? Code.Unavailable : error.code;
    const delay = code === Code.ResourceExhausted ? error.findDetails(RetryInfoSchema)[0]?.retryDelay : undefined;
    const later = delay && Math.max(Number(delay.seconds) * 1000 + delay.nanos / 1e6, 0);
    const told = violations(error);
    return new BgcoreError(code, info?.reason ?? "", error.rawMessage, info?.metadata, { cause: error }, later, told);
  }
}

function violations(error: ConnectError): Violation[] {
  const fields = error.findDetails(BadRequestSchema).flatMap(({ fieldViolations }) => fieldViolations);
  const conditions = error.findDetails(PreconditionFailureSchema).flatMap(({ violations }) => violations);
  return [
    ...fields.map(({ field, description }) => ({ subject: field, description })),
    ...conditions.map(({ subject, description }) => ({ subject, description })),
  ];
}
