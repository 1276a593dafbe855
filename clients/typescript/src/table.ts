import type { Bgcore } from "./client.js";
import { seedOf } from "./dice.js";
import { Seat, type DiceNote } from "./seat.js";
import {
  DiceMode,
  MatchFormat,
  PlayView,
  type Event,
  type ExportMatchResponse,
  type GetTableResponse,
  type Seat as Side,
  type VerifyDiceResponse,
} from "./v1.js";
import { watch, type Update, type WatchOptions } from "./watch.js";

export interface JoinOptions {
  /** The seat wanted; without: a free one, White first. */
  readonly side?: Side;
  /** The name shown; without: the one that the table was made with. */
  readonly name?: string;
  /**
   * What the player adds to committed dice, and to no others. Without: one made of the request id, which is at random, so
   * that who repeats the call repeats the seed.
   */
  readonly diceSeed?: string;
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

  /** Take a free seat. The table is looked at first, and the commitment of its dice noted, before a seed is sent. */
  async join({ side, diceSeed, signal, ...rest }: JoinOptions = {}): Promise<Seat> {
    const calling = { ...(signal && { signal }) };
    const { table, state } = await this.get({ view: PlayView.NONE, ...calling });
    const requestId = rest.requestId || crypto.randomUUID();
    const committed = table?.diceMode === DiceMode.COMMITTED;
    const seed = diceSeed ?? (committed ? await seedOf(requestId) : "");
    const request = { table: this.id, ...(side !== undefined && { seat: side }), ...rest, requestId, diceSeed: seed };
    const answer = await this.client.tables.joinTable(request, calling);
    const noted = { seed, commitment: state?.dice?.commitment ?? "" };
    return this.seat(answer.seat, answer.token, committed ? noted : undefined);
  }

  /** A seat taken before, by the token that `join` gave; with committed dice also by what it noted. */
  seat(side: Side, token: string, noted?: DiceNote): Seat {
    return new Seat(this, side, token, undefined, noted);
  }

  /** The match so far as the text of a file: our record, a match text, SGF. */
  export(format = MatchFormat.RECORD, options: { readonly signal?: AbortSignal } = {}): Promise<ExportMatchResponse> {
    return this.client.tables.exportMatch({ table: this.id, format }, options);
  }

  /** Whether every throw follows from the seeds, as the server says. `checkDice` need not believe it. */
  verifyDice(options: { readonly signal?: AbortSignal } = {}): Promise<VerifyDiceResponse> {
    return this.client.tables.verifyDice({ table: this.id }, options);
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
