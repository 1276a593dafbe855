import type { Bgcore } from "./client.js";
import { Seat } from "./seat.js";
import { Seat as Side, type Event, type GetTableResponse, type PlayView } from "./v1.js";
import { watch, type Update, type WatchOptions } from "./watch.js";

export interface JoinOptions {
  /** The seat wanted; without: a free one, White first. */
  readonly side?: Side;
  /** The name shown; without: the one that the table was made with. */
  readonly name?: string;
  /** For a caller that keeps its own; without: a random one. Who has it can take the same seat. */
  readonly requestId?: string;
  readonly signal?: AbortSignal;
}

export interface EventsOptions {
  /** Only events after this revision. */
  readonly after?: number;
  /** Each event with the state after it. */
  readonly states?: boolean;
  /** With `states`: how much of each legal play to send. */
  readonly view?: PlayView;
  readonly signal?: AbortSignal;
}

/** A table of the server, by its id. It holds nothing that changes. */
export class Table {
  constructor(
    readonly client: Bgcore,
    readonly id: string,
  ) {}

  /** What the table is, and where its match stands. */
  get(options: { readonly view?: PlayView; readonly signal?: AbortSignal } = {}): Promise<GetTableResponse> {
    const { signal, ...rest } = options;
    return this.client.tables.getTable({ table: this.id, ...rest }, { ...(signal && { signal }) });
  }

  /** Take a free seat. */
  async join({ side, signal, ...rest }: JoinOptions = {}): Promise<Seat> {
    const request = { table: this.id, ...(side !== undefined && { seat: side }), ...rest };
    const answer = await this.client.tables.joinTable(request, { ...(signal && { signal }) });
    return this.seat(answer.seat, answer.token);
  }

  /** A seat taken before, by the token that `join` gave. */
  seat(side: Side, token: string): Seat {
    return new Seat(this, side, token);
  }

  /** What happens, as it happens, until the caller breaks off; it survives lost connections. */
  watch(options: WatchOptions = {}): AsyncGenerator<Update, void> {
    return watch(this.client.tables, this.id, this.client.line, options);
  }

  /** What has happened so far, page by page behind the scenes. */
  async *events({ after = 0, signal, ...rest }: EventsOptions = {}): AsyncGenerator<Event, void> {
    let pageToken = "";
    do {
      const request = { table: this.id, afterRevision: after, pageSize: 500, pageToken, ...rest };
      const page = await this.client.tables.listEvents(request, { ...(signal && { signal }) });
      yield* page.events;
      pageToken = page.nextPageToken;
    } while (pageToken);
  }
}
