import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code, type CallOptions } from "@connectrpc/connect";
import { bearer, CALLING, pause, type Calling } from "./calls.js";
import { seedOf } from "./dice.js";
import { BgcoreError } from "./errors.js";
import { GAMES_WANTED, gamesWanted, type GamesWanted } from "./games.js";
import { known, plain, refused, type Keys } from "./given.js";
import { columns, type Step } from "./plays.js";
import type { Table } from "./table.js";
import {
  DiceMode,
  Level,
  PlayView,
  Seat as Side,
  type ActionKind,
  type ActionSchema,
  type ActResponse,
  type Decision,
  type PlaySchema,
  type TableState,
} from "./v1.js";
import { WATCH_OPTIONS, type WatchOptions } from "./watch.js";

export interface ActOptions {
  /** Only check it: nothing is done or recorded. */
  readonly validateOnly?: boolean;
  /** How much of each legal play the answer has; without: columns. */
  readonly view?: PlayView;
  /** For a caller that keeps its own; without: a random one. */
  readonly requestId?: string;
  readonly signal?: AbortSignal;
}

/** A play: a text such as "8/5 6/5", or one that was listed. */
export type PlayInput = string | { readonly steps: readonly Pick<Step, "origin" | "number">[] };

/** Something to be decided, and the seat as of that moment. */
export interface Choice {
  readonly decision: Decision;
  readonly state: TableState;
  /** Acts only if nothing has happened since; otherwise the act throws an error that is `stale`. */
  readonly seat: Seat;
}

/** What a player notes of committed dice before play, to compare with afterwards; see `checkDice`. */
export interface DiceNote {
  /** What the player gave. */
  readonly seed: string;
  /** What the table showed before it heard of the seed. */
  readonly commitment: string;
  /** Of which match these are; without: 1, the first. */
  readonly matchNumber?: number;
}

/** Which match is asked for: without anything the one that the other has asked for, or the same rules again. */
export interface RematchOptions extends ActOptions, GamesWanted {
  /** What the player adds to committed dice; without: made of the request id, which is at random. */
  readonly diceSeed?: string;
}

/** What came of asking for another match. */
export interface Rematch {
  /** The same seat; with committed dice it has noted what that match is checked with. */
  readonly seat: Seat;
  readonly answer: ActResponse;
}

/** Which decisions a seat waits for. */
export interface DecisionsOptions extends Omit<WatchOptions, "after"> {
  /** In each match at the table, one rematch after another, until it is closed. */
  readonly rematches?: boolean;
}

const ACT_OPTIONS: Keys<ActOptions> = { validateOnly: true, view: true, requestId: true, ...CALLING };
const REMATCH_OPTIONS: Keys<RematchOptions> = { diceSeed: true, ...ACT_OPTIONS, ...GAMES_WANTED };
const DECISIONS_OPTIONS: Keys<DecisionsOptions & Pick<WatchOptions, "after">> = { rematches: true, ...WATCH_OPTIONS };

/** A seat at a table with the token that proves it. It holds nothing that changes. */
export class Seat {
  constructor(
    readonly table: Table,
    /** White or black. */
    readonly side: Side,
    /** The secret; keep it to sit down again with `table.seat`. */
    readonly token: string,
    readonly revision?: number,
    /** With committed dice: what `join` noted; keep it, too. */
    readonly noted?: DiceNote,
  ) {}

  /** The same seat, which acts only while the table is at this revision. */
  at(revision: number): Seat {
    return new Seat(this.table, this.side, this.token, revision, this.noted);
  }

  /** The opening throw. `dice`, White's and Black's, with manual dice only. */
  async throw(dice: readonly number[] = [], options?: ActOptions): Promise<ActResponse> {
    return this.act({ kind: { case: "throw", value: { dice: numbers(dice) } } }, options);
  }

  /** Roll. `dice` with manual dice only. */
  async roll(dice: readonly number[] = [], options?: ActOptions): Promise<ActResponse> {
    return this.act({ kind: { case: "roll", value: { dice: numbers(dice) } } }, options);
  }

  /** Play: a text such as "8/5 6/5", or one of the plays that were listed. */
  async play(play: PlayInput, options?: ActOptions): Promise<ActResponse> {
    return this.act({ kind: { case: "play", value: { play: { form: form(play) } } } }, options);
  }

  /** Name the double to be played, 1 to 6, where the rules let the player choose one. */
  nameDouble(number: number, options?: ActOptions): Promise<ActResponse> {
    return this.act({ kind: { case: "nameDouble", value: { number } } }, options);
  }

  /** Offer a double. */
  double(options?: ActOptions): Promise<ActResponse> {
    return this.act({ kind: { case: "double", value: {} } }, options);
  }

  /** Accept a double. */
  take(options?: ActOptions): Promise<ActResponse> {
    return this.act({ kind: { case: "take", value: {} } }, options);
  }

  /** Refuse a double and lose the game. */
  drop(options?: ActOptions): Promise<ActResponse> {
    return this.act({ kind: { case: "drop", value: {} } }, options);
  }

  /** Answer a double with another one and keep the cube: a beaver, a raccoon, and so on. */
  animal(options?: ActOptions): Promise<ActResponse> {
    return this.act({ kind: { case: "animal", value: {} } }, options);
  }

  /** Offer to lose the game, at a level or, where checkers are counted, for so many points. */
  resign(offer: { readonly level: Level } | { readonly points: number }, options?: ActOptions): Promise<ActResponse> {
    return this.act({ kind: { case: "resign", value: offer } }, options);
  }

  /** Accept or decline the other's resignation. */
  answerResignation(accept: boolean, options?: ActOptions): Promise<ActResponse> {
    return this.act({ kind: { case: "answerResignation", value: { accept } } }, options);
  }

  /** Start the next game of the match. */
  nextGame(options?: ActOptions): Promise<ActResponse> {
    return this.act({ kind: { case: "nextGame", value: {} } }, options);
  }

  /** Give up the whole match; nobody has to accept it. */
  resignMatch(options?: ActOptions): Promise<ActResponse> {
    return this.act({ kind: { case: "resignMatch", value: {} } }, options);
  }

  /** End a money session, between two games. */
  endSession(options?: ActOptions): Promise<ActResponse> {
    return this.act({ kind: { case: "endSession", value: {} } }, options);
  }

  /** Claim that the other's time has run out. The server says so by itself, too. */
  flag(options?: ActOptions): Promise<ActResponse> {
    return this.act({ kind: { case: "flag", value: {} } }, options);
  }

  /** Put a legal play in the place of this seat's illegal one: one of the decision's `correctPlays`, or a text. */
  async correct(play: PlayInput, options?: ActOptions): Promise<ActResponse> {
    return this.act({ kind: { case: "correct", value: { play: { form: form(play) } } } }, options);
  }

  /** Ask to take back what this seat did last, as long as no dice have fallen since. */
  undo(options?: ActOptions): Promise<ActResponse> {
    return this.act({ kind: { case: "undo", value: {} } }, options);
  }

  /** Let the other take back what he did last, or not. To play on is an answer, too: no. */
  answerUndo(accept: boolean, options?: ActOptions): Promise<ActResponse> {
    return this.act({ kind: { case: "answerUndo", value: { accept } } }, options);
  }

  /** Ask to void the match and close the table, or agree to it; nobody wins then. */
  void(options?: ActOptions): Promise<ActResponse> {
    return this.act({ kind: { case: "void", value: {} } }, options);
  }

  /**
   * Ask for another match when one is over, or agree to one. It begins when both have asked for the same.
   *
   * With committed dice another seed is sent, and the commitment to the dice of that match noted before, for `checkDice`. An act
   * that is repeated after it was done finds no commitment from before, and notes none.
   */
  async rematch(wanted: RematchOptions = {}): Promise<Rematch> {
    known("rematch", wanted, REMATCH_OPTIONS, ["an option", "options"]);
    const { variant, rotation, preset, options, diceSeed, ...how } = wanted;
    const look = { table: this.table.id, view: PlayView.NONE };
    const seen = await this.table.client.tables.getTable(look, this.#calling(how.signal));
    const requestId = how.requestId || crypto.randomUUID();
    const committed = seen.table?.diceMode === DiceMode.COMMITTED;
    const seed = diceSeed ?? (committed ? await seedOf(requestId) : "");
    const value = { diceSeed: seed, ...gamesWanted({ variant, rotation, preset, options }) };
    const answer = await this.act({ kind: { case: "rematch", value } }, { ...how, requestId });
    if (how.validateOnly || !committed) return { seat: this, answer };
    const before = answer.firstRevision > seen.state!.revision;
    const begun = answer.events.some(({ kind }) => kind.case === "matchStarted");
    const commitment = before ? seen.state!.nextCommitment : "";
    const noted = { seed, commitment, matchNumber: answer.state!.matchNumber + (begun ? 0 : 1) };
    return { seat: new Seat(this.table, this.side, this.token, this.revision, noted), answer };
  }

  /** What a state lets this seat do beside what its decision lists: undo, answer an undo, void, rematch. */
  may({ whiteMay, blackMay }: TableState): readonly ActionKind[] {
    return this.side === Side.BLACK ? blackMay : whiteMay;
  }

  /**
   * Leave the seat before the match has begun; it is free, and its token opens nothing any more. If no answer comes, it is asked
   * again: a token that is not known any more says that it was done. With the token of an account that cannot be told, and the
   * call fails as `Unavailable`: look at the table.
   */
  async leave(options: Calling = {}): Promise<void> {
    const { signal } = known("leave", options, CALLING);
    const { tables, line } = this.table.client;
    // An account might sit elsewhere at the table, or be its host: then it would not be refused.
    const own = this.token !== "" && !this.token.includes(".");
    let unanswered = false;
    for (let attempt = 1; ; attempt++) {
      try {
        await tables.leaveTable({ table: this.table.id, seat: this.side }, this.#calling(signal));
        return;
      } catch (thrown) {
        const error = BgcoreError.of(thrown, signal);
        if (unanswered && (error.code === Code.PermissionDenied || error.code === Code.NotFound)) return;
        if (error.code !== Code.Unavailable || !own || attempt >= line.retry.attempts) throw error;
        unanswered = true;
        await pause(line.retry, attempt, signal ? AbortSignal.any([signal, line.closed]) : line.closed);
      }
    }
  }

  #calling(signal?: AbortSignal): CallOptions {
    return { ...bearer(this.token), ...(signal && { signal }) };
  }

  /** Any action. */
  async act(action: MessageInitShape<typeof ActionSchema>, options: ActOptions = {}): Promise<ActResponse> {
    const { signal, ...rest } = known("act", options, ACT_OPTIONS);
    return this.table.client.tables.act(
      {
        table: this.table.id,
        seat: this.side,
        action,
        ...(this.revision !== undefined && { expectedRevision: this.revision }),
        ...rest,
      },
      this.#calling(signal),
    );
  }

  /**
   * Each moment at which this seat may decide, until the match is over. The other may be quicker where both may, such as
   * at the opening throw: then the act is `stale`, and the next choice comes.
   */
  async *decisions(wanted: DecisionsOptions = {}): AsyncGenerator<Choice, void> {
    const { rematches = false, ...options } = known("decisions", wanted, DECISIONS_OPTIONS);
    const { client, id, token } = this.table;
    const table = token ? this.table : client.table(id, this.token);
    for await (const { state } of table.watch({ view: PlayView.COLUMNS, ...options })) {
      const { decision } = state;
      if (rematches ? state.closed : !decision) return;
      if (!decision) continue;
      if (decision.seat === this.side || decision.seat === Side.UNSPECIFIED) {
        yield { decision, state, seat: this.at(state.revision) };
      }
    }
  }
}

type Form = Exclude<NonNullable<MessageInitShape<typeof PlaySchema>["form"]>, { case: undefined }>;

function form(play: PlayInput): Form {
  if (typeof play === "string") return { case: "text", value: play };
  if (!plain(play) || !Array.isArray(play.steps)) {
    throw refused("play", play, 'a text such as "8/5 6/5", or a play that was listed');
  }
  return { case: "steps", value: columns(play.steps) };
}

function numbers(dice: readonly number[]): number[] {
  if (!Array.isArray(dice)) throw refused("dice", dice, "a list of numbers, such as [3, 1]");
  return [...dice];
}
