import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { Batch, packPositions, v1 } from "@bgcore/client";

type Init<T extends Parameters<typeof create>[0]> = Parameters<typeof create<T>>[1];

function position(init: Init<typeof v1.PositionSchema>): v1.Position {
  return create(v1.PositionSchema, init);
}

function answer(init: Init<typeof v1.BatchListPlaysResponseSchema> = {}): v1.BatchListPlaysResponse {
  return create(v1.BatchListPlaysResponseSchema, {
    plays: new Uint8Array([(8 << 3) | 3, (6 << 3) | 1, 0, 0, (26 << 3) | 5, 0, 0, 0]),
    offsets: [0, 1, 1, 2],
    numbersUsed: new Uint8Array([2, 0, 1]),
    ...init,
  });
}

test("the side on roll is packed first", () => {
  const points = Array.from({ length: 24 }, (_, index) => (index === 23 ? 2 : 0));
  const one = position({
    white: { off: 12, pinned: [17] },
    black: { points, bar: 1, unentered: 3 },
    onRoll: v1.Seat.BLACK,
  });
  const expected = new Uint8Array(128);
  expected.set([2, 1, 3], 64 + 24);
  expected[64 + 32] = 12;
  expected[64 + 32 + 30] = 0x02; // bit 17
  expected.copyWithin(0, 64);
  assert.deepEqual(packPositions([one, one]), expected);
});

test("what has no bytes is refused", () => {
  for (const white of [{ points: [1] }, { bar: 256 }, { pinned: [25] }, { pinned: [3, 3] }]) {
    assert.throws(() => packPositions([position({ white, onRoll: v1.Seat.WHITE })]), RangeError);
  }
  assert.throws(() => packPositions([position({})]), /onRoll 0/);
});

test("a batch is read by position", () => {
  const batch = new Batch(answer());
  assert.deepEqual([0, 1, 2].map((index) => batch.numbersUsed(index)), [2, 0, 1]);
  assert.deepEqual([0, 1, 2].map((index) => batch.plays(index)), [
    [{ steps: [{ origin: 8, number: 3, target: 5 }, { origin: 6, number: 1, target: 5 }] }],
    [],
    [{ steps: [{ origin: 26, number: 5, target: 20 }] }],
  ]);
  assert.throws(() => batch.plays(3), /position 3: expected one of 3/);
});

test("boards come with the plays of a batch", () => {
  const boards = new Uint8Array(128);
  boards[64 + 32 + 25] = 1;
  const [play] = new Batch(answer({ boards })).plays(2);
  assert.equal(play!.after!.opponent.bar, 1);
});

test("columns of a batch that do not fit together are refused", () => {
  for (const wrong of [
    { offsets: [] },
    { offsets: [0, 2, 1, 2] },
    { offsets: [1, 1, 1, 2] },
    { plays: new Uint8Array(7) },
    { boards: new Uint8Array(64) },
  ]) {
    assert.throws(() => new Batch(answer(wrong)), RangeError);
  }
});
