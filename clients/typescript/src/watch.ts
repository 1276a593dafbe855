import { Code } from "@connectrpc/connect";
import { bearer, helps, pause, type Calls, type Line } from "./calls.js";
import { BgcoreError } from "./errors.js";
import type { Keys } from "./given.js";
import type { Event, PlayView, Snapshot, TableService, TableState, WatchTableResponse } from "./v1.js";

/** What a watch tells: first how the table stands, unless the caller knows, then each event. */
export type Update =
  | { readonly kind: "snapshot"; readonly revision: number; readonly state: TableState; readonly snapshot: Snapshot }
  | { readonly kind: "event"; readonly revision: number; readonly state: TableState; readonly event: Event };

export interface WatchOptions {
  /** The last revision already known: the first update is the event after it. Without: a snapshot. */
  readonly after?: number;
  /** How much of each legal play to send; without: columns in the snapshot, none in events. */
  readonly view?: PlayView;
  /** Ends the watch, without an error; so does closing the client. */
  readonly signal?: AbortSignal;
  /** So long may nothing come, not even a heartbeat, before the connection counts as lost; milliseconds. */
  readonly silenceMs?: number;
}

export const WATCH_OPTIONS: Keys<WatchOptions> = { after: true, view: true, signal: true, silenceMs: true };

/** Three heartbeats of a server that nobody told otherwise. */
const SILENCE_MS = 45_000;
/** The reason of `OutOfRange` where events are not kept one by one any more. */
const COMPACTED = "EVENTS_COMPACTED";

/**
 * Every event of a table, in order, none twice, until the caller breaks off. A lost connection is taken up again after
 * the last event. Where the server no longer has the events in between, a snapshot comes instead.
 */
export async function* watch(
  tables: Calls<typeof TableService>,
  table: string,
  { retry, closed }: Line,
  { after, view, signal, silenceMs = SILENCE_MS }: WatchOptions,
  token = "",
): AsyncGenerator<Update, void> {
  const over = signal ? AbortSignal.any([signal, closed]) : closed;
  let known = after;
  let resumed = false;
  for (let attempt = 1; !over.aborted; attempt++) {
    const quiet = new Quiet(silenceMs, over);
    // A server that stops ends its watches; it comes back, or another takes over.
    let failure = new BgcoreError(Code.Unavailable, "", "the server ended the watch");
    try {
      const request = { table, ...(known !== undefined && { afterRevision: known }), ...(view !== undefined && { view }) };
      for await (const message of tables.watchTable(request, { ...bearer(token), signal: quiet.signal })) {
        quiet.heard();
        attempt = 0;
        resumed = true;
        const update = read(message);
        if (!update || (update.kind === "event" && known !== undefined && update.revision <= known)) continue;
        known = update.revision;
        quiet.rest();
        yield update;
        quiet.heard();
      }
    } catch (thrown) {
      failure = quiet.signal.aborted
        ? new BgcoreError(Code.Unavailable, "", `nothing heard for ${silenceMs} ms`, {}, { cause: thrown })
        : BgcoreError.of(thrown);
    } finally {
      quiet.end();
    }
    if (over.aborted) return;
    if (failure.code === Code.OutOfRange && known !== undefined && (resumed || failure.reason === COMPACTED)) {
      known = undefined;
      continue;
    }
    if (!helps(retry, failure, attempt, true)) throw failure;
    await pause(retry, Math.max(attempt, 1), over, failure);
  }
}

function read({ kind }: WatchTableResponse): Update | undefined {
  switch (kind.case) {
    case "snapshot":
      return { kind: "snapshot", revision: kind.value.state!.revision, state: kind.value.state!, snapshot: kind.value };
    case "event":
      return { kind: "event", revision: kind.value.revision, state: kind.value.state!, event: kind.value };
    default:
      return undefined;
  }
}

/** Aborts its signal when the watch is over, or when nothing has been heard for too long. */
class Quiet {
  readonly #controller = new AbortController();
  readonly #abort = () => this.#controller.abort();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly ms: number,
    readonly over: AbortSignal,
  ) {
    over.addEventListener("abort", this.#abort);
    this.heard();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  heard(): void {
    this.rest();
    this.#timer = setTimeout(this.#abort, this.ms);
  }

  /** Stop counting: it is the caller who takes his time. */
  rest(): void {
    clearTimeout(this.#timer);
  }

  end(): void {
    this.rest();
    this.over.removeEventListener("abort", this.#abort);
    this.#abort();
  }
}
