import { board, target, type Play, type Step } from "./plays.js";
import { Seat, type BatchListPlaysResponse, type Position, type Side } from "./v1.js";

const PLAY_BYTES = 4;
const SIDE_BYTES = 32;

/**
 * The bytes that `BatchListPlays` takes: 64 a position, the side on roll first. Throws `RangeError` on what has no such
 * bytes; whether the positions are legal is for the server to say.
 */
export function packPositions(positions: readonly Position[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(positions.length * 2 * SIDE_BYTES);
  positions.forEach(({ white, black, onRoll }, index) => {
    if (onRoll !== Seat.WHITE && onRoll !== Seat.BLACK) throw new RangeError(`onRoll ${onRoll}: expected WHITE or BLACK`);
    const at = index * 2 * SIDE_BYTES;
    const [mover, opponent] = onRoll === Seat.WHITE ? [white, black] : [black, white];
    packSide(bytes.subarray(at, at + SIDE_BYTES), mover);
    packSide(bytes.subarray(at + SIDE_BYTES, at + 2 * SIDE_BYTES), opponent);
  });
  return bytes;
}

function packSide(bytes: Uint8Array, side: Side | undefined): void {
  if (!side) return;
  const { points, bar, off, unentered, pinned } = side;
  if (points.length !== 0 && points.length !== 24) throw new RangeError(`points: ${points.length}, expected 24 or none`);
  const wrong = [...points, bar, off, unentered].find((count) => !(count >= 0 && count <= 255));
  if (wrong !== undefined) throw new RangeError(`${wrong} checkers: expected 0 to 255`);
  bytes.set(points, 1);
  bytes[0] = off;
  bytes[25] = bar;
  bytes[26] = unentered;
  let pins = 0;
  for (const point of pinned) {
    if (!(point >= 1 && point <= 24) || (pins >>> point) & 1) {
      throw new RangeError(`pinned point ${point}: expected each of 1 to 24 at most once`);
    }
    pins |= 1 << point;
  }
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(28, pins, true);
}

/** An answer to `BatchListPlays`, decoded where somebody looks. */
export class Batch {
  readonly #answer: BatchListPlaysResponse;

  /** Throws `RangeError` on columns that do not fit together. */
  constructor(answer: BatchListPlaysResponse) {
    const { plays, offsets, numbersUsed, boards } = answer;
    fits("offsets", offsets.length, numbersUsed.length + 1);
    fits("the first offset", offsets[0]!, 0);
    if (offsets.some((offset, index) => index > 0 && offset < offsets[index - 1]!)) {
      throw new RangeError("offsets: expected numbers that rise");
    }
    const total = offsets.at(-1)!;
    fits("plays", plays.length, total * PLAY_BYTES);
    if (boards.length > 0) fits("boards", boards.length, total * 2 * SIDE_BYTES);
    this.#answer = answer;
  }

  /** How many positions there are. */
  get length(): number {
    return this.#answer.numbersUsed.length;
  }

  /** How many numbers the plays of a position use; 0 when nothing can be played. */
  numbersUsed(index: number): number {
    return this.#answer.numbersUsed[this.#known(index)]!;
  }

  /** The plays of a position; none when nothing can be played. Boards come with them if they were asked for. */
  plays(index: number): Play[] {
    const { plays, offsets, boards } = this.#answer;
    const start = offsets[this.#known(index)]!;
    return Array.from({ length: offsets[index + 1]! - start }, (_, number) => {
      const at = start + number;
      const codes = plays.subarray(at * PLAY_BYTES, (at + 1) * PLAY_BYTES);
      const steps = Array.from(codes.filter((code) => code !== 0), step);
      if (boards.length === 0) return { steps };
      const middle = (2 * at + 1) * SIDE_BYTES;
      return {
        steps,
        after: {
          mover: board(boards.subarray(middle - SIDE_BYTES, middle)),
          opponent: board(boards.subarray(middle, middle + SIDE_BYTES)),
        },
      };
    });
  }

  #known(index: number): number {
    if (!(index in this.#answer.numbersUsed)) throw new RangeError(`position ${index}: expected one of ${this.length}`);
    return index;
  }
}

function step(code: number): Step {
  const origin = code >> 3;
  const number = code & 7;
  return { origin, number, target: target(origin, number) };
}

function fits(what: string, found: number, expected: number): void {
  if (found !== expected) throw new RangeError(`${what}: ${found}, expected ${expected}`);
}
