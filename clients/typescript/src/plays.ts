import type { MessageInitShape } from "@bufbuild/protobuf";
import type { PlayList, PlayStepsSchema } from "./v1.js";

/** One checker by one number, in the mover's own numbering: 25 the bar, 26 not yet entered, 0 off. */
export interface Step {
  readonly origin: number;
  readonly number: number;
  readonly target: number;
  /** It hits a checker; known in lists of `PlayView.FULL` only. */
  readonly hit?: boolean;
  /** It pins a checker; known in lists of `PlayView.FULL` only. */
  readonly pin?: boolean;
}

/** Everything done with one part of a turn; no steps when nothing is playable. */
export interface Play {
  readonly steps: readonly Step[];
  /** Such as "8/5 6/5"; in lists of `PlayView.TEXT` and `FULL` only. */
  readonly text?: string;
  /** The boards of mover and opponent after it; in lists of `PlayView.FULL` only. */
  readonly after?: { readonly mover: Board; readonly opponent: Board };
}

/** One side's checkers, in its own numbering. */
export interface Board {
  /** Free checkers: index 0 is the own 1-point, index 23 the 24-point. */
  readonly points: readonly number[];
  readonly bar: number;
  readonly off: number;
  readonly unentered: number;
  /** Own points on which an own checker is pinned, rising. */
  readonly pinned: readonly number[];
}

const SIDE_BYTES = 32;

/** The plays of a list, out of its columns, in its order. Throws `RangeError` on columns that do not fit together. */
export function plays(list: PlayList): Play[] {
  const { lengths, origins, numbers, hits, pins, texts, boards } = list;
  const total = lengths.reduce((sum, length) => sum + length, 0);
  fits("origins", origins.length, total);
  fits("numbers", numbers.length, total);
  const full = boards.length > 0;
  if (full) {
    fits("hits", hits.length, total);
    fits("pins", pins.length, total);
    fits("boards", boards.length, lengths.length * 2 * SIDE_BYTES);
  }
  if (texts.length > 0) fits("texts", texts.length, lengths.length);

  let next = 0;
  return lengths.map((length, index) => {
    const steps = Array.from({ length }, (): Step => {
      const at = next++;
      const step = { origin: origins[at]!, number: numbers[at]!, target: target(origins[at]!, numbers[at]!) };
      return full ? { ...step, hit: hits[at] === 1, pin: pins[at] === 1 } : step;
    });
    const start = index * 2 * SIDE_BYTES;
    return {
      steps,
      ...(texts.length > 0 && { text: texts[index]! }),
      ...(full && {
        after: {
          mover: board(boards.subarray(start, start + SIDE_BYTES)),
          opponent: board(boards.subarray(start + SIDE_BYTES, start + 2 * SIDE_BYTES)),
        },
      }),
    };
  });
}

/** A play's steps as the columns that a request takes. */
export function columns(steps: readonly Pick<Step, "origin" | "number">[]): MessageInitShape<typeof PlayStepsSchema> {
  return { origins: steps.map(({ origin }) => origin), numbers: steps.map(({ number }) => number) };
}

/** One side out of its 32 bytes, as in `PlayList.boards`. */
export function board(bytes: Uint8Array): Board {
  fits("a side's bytes", bytes.length, SIDE_BYTES);
  const mask = new DataView(bytes.buffer, bytes.byteOffset).getUint32(28, true);
  return {
    points: [...bytes.subarray(1, 25)],
    bar: bytes[25]!,
    off: bytes[0]!,
    unentered: bytes[26]!,
    pinned: Array.from({ length: 24 }, (_, index) => index + 1).filter((point) => (mask >>> point) & 1),
  };
}

/** Where a step lands. A checker not yet entered (26) enters like one on the bar (25). */
export function target(origin: number, number: number): number {
  return Math.max(Math.min(origin, 25) - number, 0);
}

function fits(what: string, found: number, expected: number): void {
  if (found !== expected) throw new RangeError(`${what}: ${found}, expected ${expected}`);
}
