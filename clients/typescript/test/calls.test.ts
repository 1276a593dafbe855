import assert from "node:assert/strict";
import { test } from "node:test";
import { Code } from "@connectrpc/connect";
import { BgcoreError, v1 } from "@bgcore/client";
import { fake, QUICK, refusal, unavailable } from "./fake.js";

const WHITE = v1.Seat.WHITE;

async function failure(call: Promise<unknown>): Promise<BgcoreError> {
  try {
    await call;
  } catch (error) {
    assert.ok(error instanceof BgcoreError, String(error));
    return error;
  }
  return assert.fail("the call did not fail");
}

test("a refusal has code, reason, message and metadata", async () => {
  const bgcore = fake({
    act: () => {
      throw refusal(Code.FailedPrecondition, "POINT_CLOSED", { step: "1", rule: "P3", expected: "an open point" });
    },
  });
  const error = await failure(bgcore.table("t").seat(WHITE, "x").play("8/5 6/5"));
  assert.equal(error.code, Code.FailedPrecondition);
  assert.equal(error.reason, "POINT_CLOSED");
  assert.equal(error.message, "POINT_CLOSED happened");
  assert.deepEqual(error.metadata, { step: "1", rule: "P3", expected: "an open point" });
  assert.equal(error.step, 1);
  assert.equal(error.stale, false);
});

test("a stale act says so, and is not tried again", async () => {
  let calls = 0;
  const bgcore = fake({
    act: () => {
      calls++;
      throw refusal(Code.Aborted, "STALE_REVISION");
    },
  });
  const error = await failure(bgcore.table("t").seat(WHITE, "x").at(3).roll());
  assert.equal(error.stale, true);
  assert.equal(calls, 1);
});

test("an act is repeated with the same request id while the server is unavailable", async () => {
  const ids: string[] = [];
  const bgcore = fake({
    act: ({ requestId }) => {
      ids.push(requestId);
      if (ids.length < QUICK.attempts) throw unavailable();
      return { firstRevision: 5, lastRevision: 6 };
    },
  });
  const answer = await bgcore.table("t").seat(WHITE, "x").roll();
  assert.equal(answer.lastRevision, 6);
  assert.equal(ids.length, QUICK.attempts);
  assert.equal(new Set(ids).size, 1);
  assert.match(ids[0]!, /^[0-9a-f-]{36}$/);
});

test("patience ends", async () => {
  let calls = 0;
  const bgcore = fake({
    getTable: () => {
      calls++;
      throw unavailable();
    },
  });
  const error = await failure(bgcore.table("t").get());
  assert.equal(error.code, Code.Unavailable);
  assert.equal(error.reason, "STOPPING");
  assert.equal(calls, QUICK.attempts);
});

test("who cancels does not wait", async () => {
  const controller = new AbortController();
  const bgcore = fake({
    getTable: () => {
      controller.abort();
      throw unavailable();
    },
  });
  assert.equal((await failure(bgcore.table("t").get({ signal: controller.signal }))).code, Code.Canceled);
});

test("a closed client refuses", async () => {
  const bgcore = fake({});
  bgcore.close();
  assert.equal((await failure(bgcore.table("t").get())).code, Code.Canceled);
});

test("each act has an id of its own, or the caller's", async () => {
  const ids: string[] = [];
  const bgcore = fake({
    act: ({ requestId }) => {
      ids.push(requestId);
      return {};
    },
  });
  const seat = bgcore.table("t").seat(WHITE, "x");
  await seat.take();
  await seat.take();
  await seat.take({ requestId: "mine" });
  assert.equal(new Set(ids).size, 3);
  assert.equal(ids[2], "mine");
});

test("a seat sends its token, its side, and the revision it has seen", async () => {
  const seen: unknown[] = [];
  const bgcore = fake({
    act: ({ table, seat, expectedRevision, validateOnly }, { requestHeader }) => {
      seen.push([requestHeader.get("authorization"), table, seat, expectedRevision, validateOnly]);
      return {};
    },
  });
  const seat = bgcore.table("t").seat(v1.Seat.BLACK, "secret");
  await seat.double();
  await seat.at(0).drop({ validateOnly: true });
  assert.deepEqual(seen, [
    ["Bearer secret", "t", v1.Seat.BLACK, undefined, false],
    ["Bearer secret", "t", v1.Seat.BLACK, 0, true],
  ]);
});

test("each method sends its action", async () => {
  const seen: (string | undefined)[] = [];
  const values: unknown[] = [];
  const bgcore = fake({
    act: ({ action }) => {
      seen.push(action?.kind.case);
      values.push(action?.kind.value);
      return {};
    },
  });
  const seat = bgcore.table("t").seat(WHITE, "x");
  await seat.throw([3, 1]);
  await seat.roll([6, 6]);
  await seat.play("8/5 6/5");
  await seat.play({ steps: [{ origin: 8, number: 3 }, { origin: 6, number: 1 }] });
  await seat.double();
  await seat.take();
  await seat.drop();
  await seat.resign({ level: v1.Level.GAMMON });
  await seat.resign({ points: 7 });
  await seat.answerResignation(true);
  await seat.nextGame();
  await seat.animal();
  await seat.resignMatch();
  await seat.endSession();
  await seat.flag();
  await seat.correct("8/5 6/5");
  await seat.undo();
  await seat.answerUndo(true);
  await seat.void();
  assert.deepEqual(seen, [
    ...["throw", "roll", "play", "play", "double", "take", "drop", "resign", "resign", "answerResignation", "nextGame"],
    ...["animal", "resignMatch", "endSession", "flag", "correct", "undo", "answerUndo", "void"],
  ]);
  assert.equal((values[15] as v1.CorrectAction).play?.form.value, "8/5 6/5");
  assert.deepEqual((values[0] as v1.ThrowAction).dice, [3, 1]);
  assert.equal((values[2] as v1.PlayAction).play?.form.value, "8/5 6/5");
  const steps = (values[3] as v1.PlayAction).play?.form.value as v1.PlaySteps;
  assert.deepEqual([steps.origins, steps.numbers], [[8, 6], [3, 1]]);
  assert.equal((values[7] as v1.ResignAction).level, v1.Level.GAMMON);
  assert.equal((values[8] as v1.ResignAction).points, 7);
  assert.equal((values[9] as v1.AnswerResignationAction).accept, true);
  assert.equal((values[17] as v1.AnswerUndoAction).accept, true);
});

test("a table is made of plain values, and joined", async () => {
  let made: v1.CreateTableRequest | undefined;
  const bgcore = fake({
    createTable: (request) => {
      made = request;
      return { table: { id: "new" } };
    },
    joinTable: ({ table, name, seat, requestId }) => {
      assert.deepEqual([table, name, seat], ["new", "Ann", WHITE]);
      assert.notEqual(requestId, "");
      return { seat: WHITE, token: "secret" };
    },
  });
  const table = await bgcore.createTable({
    variant: "tavla",
    options: { match_length: null, crawford: false, cube_cap: 64, word: "x", several: [1, 2n] },
    white: { player: "Ann" },
    black: { bot: "greedy" },
    diceMode: v1.DiceMode.SEEDED,
    seed: 7,
  });
  assert.equal(table.id, "new");
  assert.equal(made!.variant!.kind.value, "tavla");
  const kinds = Object.entries(made!.variant!.options).map(([name, { kind }]) => [name, kind.case]);
  assert.deepEqual(Object.fromEntries(kinds), {
    match_length: "none",
    crawford: "flag",
    cube_cap: "integer",
    word: "text",
    several: "list",
  });
  assert.equal(made!.seed, 7n);
  assert.equal(made!.white?.kind.case, "player");
  assert.equal(made!.black?.kind.case, "bot");
  const seat = await table.join({ name: "Ann", side: WHITE });
  assert.deepEqual([seat.side, seat.token], [WHITE, "secret"]);
});

test("a table goes on from a record without other rules", async () => {
  const made: v1.CreateTableRequest[] = [];
  const bgcore = fake({
    createTable: (request) => {
      made.push(request);
      return { table: { id: "new" } };
    },
  });
  await bgcore.createTable({ record: "a record" });
  assert.deepEqual([made[0]!.variant, made[0]!.start?.record], [undefined, "a record"]);
  await assert.rejects(bgcore.createTable({ record: "a record", start: {} }), { code: Code.InvalidArgument });
});

test("events come page by page", async () => {
  const bgcore = fake({
    listEvents: ({ pageToken, afterRevision }) => {
      assert.equal(afterRevision, 2);
      return pageToken
        ? { events: [{ revision: 5 }] }
        : { events: [{ revision: 3 }, { revision: 4 }], nextPageToken: "more" };
    },
  });
  const revisions: number[] = [];
  for await (const { revision } of bgcore.table("t").events({ after: 2 })) revisions.push(revision);
  assert.deepEqual(revisions, [3, 4, 5]);
});
