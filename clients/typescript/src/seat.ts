import type { MessageInitShape } from "@bufbuild/protobuf";
import { columns, type Step } from "./plays.js";
import type { Table } from "./table.js";
import {
  Level,
  PlayView,
  Seat as Side,
  type ActionSchema,
  type ActResponse,
  type Decision,
  type PlaySchema,
  type TableState,
} from "./v1.js";
import type { WatchOptions } from "./watch.js";

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
}

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
  throw(dice: readonly number[] = [], options?: ActOptions): Promise<ActResponse> {
    return this.act({ kind: { case: "throw", value: { dice: [...dice] } } }, options);
  }

  /** Roll. `dice` with manual dice only. */
  roll(dice: readonly number[] = [], options?: ActOptions): Promise<ActResponse> {
    return this.act({ kind: { case: "roll", value: { dice: [...dice] } } }, options);
  }

  /** Play: a text such as "8/5 6/5", or one of the plays that were listed. */
  play(play: PlayInput, options?: ActOptions): Promise<ActResponse> {
    return this.act({ kind: { case: "play", value: { play: { form: form(play) } } } }, options);
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
  correct(play: PlayInput, options?: ActOptions): Promise<ActResponse> {
    return this.act({ kind: { case: "correct", value: { play: { form: form(play) } } } }, options);
  }

  /** Any action. */
  act(action: MessageInitShape<typeof ActionSchema>, options: ActOptions = {}): Promise<ActResponse> {
    const { signal, ...rest } = options;
    return this.table.client.tables.act(
      {
        table: this.table.id,
        seat: this.side,
        action,
        ...(this.revision !== undefined && { expectedRevision: this.revision }),
        ...rest,
      },
      { headers: { authorization: `Bearer ${this.token}` }, ...(signal && { signal }) },
    );
  }

  /**
   * Each moment at which this seat may decide, until the match is over. The other may be quicker where both may, such as
   * at the opening throw: then the act is `stale`, and the next choice comes.
   */
  async *decisions(options: Omit<WatchOptions, "after"> = {}): AsyncGenerator<Choice, void> {
    for await (const { state } of this.table.watch({ view: PlayView.COLUMNS, ...options })) {
      const { decision } = state;
      if (!decision) return;
      if (decision.seat === this.side || decision.seat === Side.UNSPECIFIED) {
        yield { decision, state, seat: this.at(state.revision) };
      }
    }
  }
}

function form(play: PlayInput): Exclude<NonNullable<MessageInitShape<typeof PlaySchema>["form"]>, { case: undefined }> {
  return typeof play === "string" ? { case: "text", value: play } : { case: "steps", value: columns(play.steps) };
}
