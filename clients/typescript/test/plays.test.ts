import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { board, columns, plays, v1 } from "@bgcore/client";

function list(init: Parameters<typeof create<typeof v1.PlayListSchema>>[1]): v1.PlayList {
  return create(v1.PlayListSchema, init);
}

test("columns become plays", () => {
  const found = plays(list({ lengths: [2, 1], origins: [8, 6, 13], numbers: [3, 1, 3], numbersUsed: 2 }));
  assert.deepEqual(found, [
    { steps: [{ origin: 8, number: 3, target: 5 }, { origin: 6, number: 1, target: 5 }] },
    { steps: [{ origin: 13, number: 3, target: 10 }] },
  ]);
});

test("nothing playable is one play without a step", () => {
  assert.deepEqual(plays(list({ lengths: [0] })), [{ steps: [] }]);
});

test("a checker enters from the bar and from outside alike, and goes no farther than off", () => {
  const [play] = plays(list({ lengths: [3], origins: [25, 26, 2], numbers: [4, 4, 6] }));
  assert.deepEqual(play!.steps.map(({ target }) => target), [21, 21, 0]);
});

test("texts, hits, pins and boards come with their play", () => {
  const bytes = new Uint8Array(128);
  bytes[64 + 0] = 2; // off
  bytes[64 + 24] = 13; // on the 24-point
  bytes[64 + 32 + 25] = 1; // the opponent's bar
  bytes[64 + 32 + 26] = 3; // not yet entered
  bytes[64 + 32 + 30] = 0x02; // bit 17
  const found = plays(
    list({
      lengths: [0, 1],
      origins: [6],
      numbers: [5],
      texts: ["", "6/1*"],
      hits: [1],
      pins: [0],
      boards: bytes,
    }),
  );
  const play = found[1]!;
  assert.equal(found[0]!.text, "");
  assert.equal(play.text, "6/1*");
  assert.deepEqual(play.steps, [{ origin: 6, number: 5, target: 1, hit: true, pin: false }]);
  assert.equal(play.after!.mover.off, 2);
  assert.equal(play.after!.mover.points[23], 13);
  assert.deepEqual({ ...play.after!.opponent, points: [] }, { points: [], bar: 1, off: 0, unentered: 3, pinned: [17] });
});

test("columns that do not fit together are refused", () => {
  assert.throws(() => plays(list({ lengths: [2], origins: [8], numbers: [3] })), /origins: 1, expected 2/);
  assert.throws(() => plays(list({ lengths: [1], origins: [8], numbers: [] })), /numbers: 0, expected 1/);
  assert.throws(() => plays(list({ lengths: [0], boards: new Uint8Array(63) })), /boards: 63, expected 64/);
  assert.throws(() => plays(list({ lengths: [0, 0], texts: [""] })), /texts: 1, expected 2/);
  assert.throws(() => board(new Uint8Array(31)), RangeError);
});

test("a play goes back into columns", () => {
  const [play] = plays(list({ lengths: [2], origins: [24, 18], numbers: [6, 5] }));
  assert.deepEqual(columns(play!.steps), { origins: [24, 18], numbers: [6, 5] });
});
