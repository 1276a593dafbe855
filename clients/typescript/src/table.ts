import type { CallOptions } from "@connectrpc/connect";
import { bearer, CALLING, type Calling } from "./calls.js";
import type { Bgcore } from "./client.js";
import { seedOf } from "./dice.js";
import { known, type Keys } from "./given.js";
import { Seat, type DiceNote } from "./seat.js";
import {
  DiceMode,
  MatchFormat,
  PlayView,
  type CloseTableResponse,
  type Event,
  type ExportMatchResponse,
  type GetTableResponse,
  type LeaveTableResponse,
  type Seat as Side,
  type VerifyDiceResponse,
} from "./v1.js";
import { watch, WATCH_OPTIONS, type Update, type WatchOptions } from "./watch.js";

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

/** What the server gives to who makes a table. Keep them, and hand them out. */
export interface Secrets {
  /** To close the table, and to free seats before the match has begun. It opens all that the others open. */
  readonly host: string;
  /** At a private table: to see it and to take a seat. For the players. Otherwise empty. */
  readonly invitation: string;
  /** At a private table: to see it. For those who only look on. Otherwise empty. */
  readonly spectator: string;
}

/** Which match of a table. */
export interface MatchOptions {
  /** 1 is the first at this table; without: the last. */
  readonly matchNumber?: number;
  readonly signal?: AbortSignal;
}

interface GetOptions extends Calling {
  readonly view?: PlayView;
}

const GET_OPTIONS: Keys<GetOptions> = { view: true, ...CALLING };
const JOIN_OPTIONS: Keys<JoinOptions> = { side: true, name: true, diceSeed: true, requestId: true, ...CALLING };
const EVENTS_OPTIONS: Keys<EventsOptions> = { after: true, states: true, view: true, ...CALLING };
const MATCH_OPTIONS: Keys<MatchOptions> = { matchNumber: true, ...CALLING };

/** A table of the server, by its id, and with a token that is shown at each call. It holds nothing that changes. */
export class Table {
  constructor(
    readonly client: Bgcore,
    readonly id: string,
    /** Empty: that of the client's account, or nothing. */
    readonly token = "",
    /** Those of a table that `createTable` made. */
    readonly secrets?: Secrets,
  ) {}

  #calling(signal?: AbortSignal): CallOptions {
    return { ...bearer(this.token), ...(signal && { signal }) };
  }

  /** What the table is, and where its match stands. */
  async get(options: GetOptions = {}): Promise<GetTableResponse> {
    const { signal, ...rest } = known("get", options, GET_OPTIONS);
    return this.client.tables.getTable({ table: this.id, ...rest }, this.#calling(signal));
  }

  /**
   * Take a free seat. The table is looked at first, and the commitment of its dice noted, before a seed is sent. At a private
   * table it takes the host's token or an invitation, at a seat that is kept for an account that account, which then sits
   * there and may act by its own token, too.
   */
  async join(options: JoinOptions = {}): Promise<Seat> {
    const { side, diceSeed, signal, ...rest } = known("join", options, JOIN_OPTIONS);
    const calling = this.#calling(signal);
    const { table, state } = await this.get({ view: PlayView.NONE, ...(signal && { signal }) });
    const requestId = rest.requestId || crypto.randomUUID();
    const committed = table?.diceMode === DiceMode.COMMITTED;
    const seed = diceSeed ?? (committed ? await seedOf(requestId) : "");
    const request = { table: this.id, ...(side !== undefined && { seat: side }), ...rest, requestId, diceSeed: seed };
    const answer = await this.client.tables.joinTable(request, calling);
    const noted = { seed, commitment: state?.dice?.commitment ?? "" };
    return this.seat(answer.seat, answer.token, committed ? noted : undefined);
  }

  /**
   * A seat taken before, by the token that `join` gave, or with an empty one by the account that sits there; with committed
   * dice also by what it noted.
   */
  seat(side: Side, token: string, noted?: DiceNote): Seat {
    return new Seat(this, side, token, undefined, noted);
  }

  /**
   * Free a seat before the match has begun, as the host. Its player's token opens nothing any more. Where no answer comes, look
   * at the table before you do it again: somebody else may sit there by now. So it is not repeated by itself.
   */
  async kick(side: Side, options: Calling = {}): Promise<LeaveTableResponse> {
    const { signal } = known("kick", options, CALLING);
    return this.client.tables.leaveTable({ table: this.id, seat: side }, this.#calling(signal));
  }

  /**
   * Close the table for good, as the host; a match that runs is void. Everybody sees the note. Nothing happens at a table that
   * is closed already.
   */
  async close(note = "", options: Calling = {}): Promise<CloseTableResponse> {
    const { signal } = known("close", options, CALLING);
    return this.client.tables.closeTable({ table: this.id, note }, this.#calling(signal));
  }

  /** A match so far as the text of a file: our record, a match text, SGF. */
  async export(format = MatchFormat.RECORD, options: MatchOptions = {}): Promise<ExportMatchResponse> {
    const { matchNumber = 0, signal } = known("export", options, MATCH_OPTIONS);
    return this.client.tables.exportMatch({ table: this.id, format, matchNumber }, this.#calling(signal));
  }

  /** Whether every throw of a match follows from the seeds, as the server says. `checkDice` need not believe it. */
  async verifyDice(options: MatchOptions = {}): Promise<VerifyDiceResponse> {
    const { matchNumber = 0, signal } = known("verifyDice", options, MATCH_OPTIONS);
    return this.client.tables.verifyDice({ table: this.id, matchNumber }, this.#calling(signal));
  }

  /**
   * What happens, as it happens, until the caller breaks off, through one match after another; it survives lost connections.
   * Where the server does not keep the events in between one by one any more, a snapshot comes instead.
   */
  watch(options: WatchOptions = {}): AsyncGenerator<Update, void> {
    known("watch", options, WATCH_OPTIONS);
    return watch(this.client.tables, this.id, this.client.line, options, this.token);
  }

  /**
   * What has happened so far, page by page behind the scenes. `OutOfRange` where the server does not keep these events one by
   * one any more; it names the first that it does.
   */
  async *events(options: EventsOptions = {}): AsyncGenerator<Event, void> {
    const { after = 0, signal, ...rest } = known("events", options, EVENTS_OPTIONS);
    let pageToken = "";
    do {
      const request = { table: this.id, afterRevision: after, pageSize: 500, pageToken, ...rest };
      const page = await this.client.tables.listEvents(request, this.#calling(signal));
      yield* page.events;
      pageToken = page.nextPageToken;
    } while (pageToken);
  }
}
