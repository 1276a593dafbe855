// House rules and rotations from plain values, and the double that a player names.

import assert from "node:assert/strict";
import { test } from "node:test";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { BgcoreError, house, rotation, v1, variant, type GamesWanted } from "@bgcore/client";
import { BadRequestSchema, PreconditionFailureSchema } from "../src/gen/google/rpc/error_details_pb.js";
import { fake } from "./fake.js";

const KITCHEN = house("western", {
  id: "kitchen",
  title: "Kitchen table",
  summary: "As we play it.",
  axes: { bear_off: "exact" },
  start: { 24: 2 },
  options: [],
  bundles: { quick: { match_length: 1 } },
});

const spec = (init: MessageInitShape<typeof v1.VariantSpecSchema>) => create(v1.VariantSpecSchema, init);
const ref = (init: MessageInitShape<typeof v1.VariantRefSchema>) => create(v1.VariantRefSchema, init);
const one = { kind: { case: "integer", value: 1n } } as const;
const three = { match_length: { kind: { case: "integer", value: 3n } } } as const;

test("house rules are a parent and what differs", () => {
  assert.deepEqual(
    spec(KITCHEN),
    spec({
      base: "western",
      id: "kitchen",
      title: "Kitchen table",
      summary: "As we play it.",
      axes: { bear_off: { kind: { case: "text", value: "exact" } } },
      start: { points: { 24: 2 } },
      options: { names: [] },
      bundles: { quick: { options: { match_length: one } } },
    }),
  );
  assert.deepEqual(spec(house("tavla")), spec({ base: "tavla" }));
});

test("a variant has a preset and options", () => {
  const wanted = { preset: "quick", options: three };
  const how = { preset: "quick", options: { match_length: 3 } };
  const named = variant("tavla", how);
  assert.deepEqual(ref(named), ref({ kind: { case: "id", value: "tavla" }, ...wanted }));
  assert.deepEqual(ref(variant(KITCHEN, how)), ref({ kind: { case: "spec", value: KITCHEN }, ...wanted }));
  assert.deepEqual(ref(variant(named)), ref(named));
  assert.deepEqual(ref(variant(ref(named), { options: { match_length: 1 } })).options.match_length!.kind.value, 1n);
});

test("a rotation is one of the server's or a list of games", () => {
  const made = (init: MessageInitShape<typeof v1.RotationRefSchema>) => create(v1.RotationRefSchema, init);
  assert.deepEqual(made(rotation("tavli")), made({ id: "tavli" }));
  const listed = rotation(["portes", variant("plakoto"), KITCHEN], {
    drawPolicy: v1.DrawPolicy.ADVANCE,
    startIndex: 0,
    options: { match_length: 3 },
  });
  const games = [variant("portes"), variant("plakoto"), variant(KITCHEN)];
  assert.deepEqual(
    made(listed),
    made({ games, drawPolicy: v1.DrawPolicy.ADVANCE, startIndex: 0, options: three }),
  );
});

for (const what of ["table", "rematch"] as const) {
  test(`a ${what} has a rotation or house rules`, async () => {
    let asked: v1.CreateTableRequest | v1.RematchAction | undefined;
    const bgcore = fake({
      createTable: (request) => {
        asked = request;
        return { table: { id: "t" } };
      },
      act: ({ action }) => {
        asked = action!.kind.value as v1.RematchAction;
        return {};
      },
    });
    const ask = async (games: GamesWanted) => {
      if (what === "table") await bgcore.createTable(games);
      else await bgcore.table("t").seat(v1.Seat.WHITE, "w").rematch(games);
      return asked!;
    };
    const options = { match_length: 3 };
    const wanted = ref(variant(KITCHEN, { preset: "quick", options }));
    assert.deepEqual((await ask({ variant: KITCHEN, preset: "quick", options })).variant, wanted);
    assert.deepEqual((await ask({ variant: wanted })).variant, wanted);

    const named = await ask({ rotation: "tavli", options });
    assert.deepEqual(named.rotation, create(v1.RotationRefSchema, { id: "tavli", options: three }));
    assert.equal(named.variant, undefined);
    const mine = rotation(["portes", KITCHEN], { startIndex: 1, options: { match_length: 9 } });
    const listed = (await ask({ rotation: mine, options })).rotation!;
    assert.deepEqual([listed.games.length, listed.startIndex, listed.options], [2, 1, named.rotation!.options]);
    assert.deepEqual((await ask({ rotation: listed })).rotation, listed);

    // What does not go together is sent, so that the server says so.
    const both = await ask({ variant: "tavla", rotation: "tavli" });
    assert.deepEqual([both.variant!.kind.value, both.rotation!.id], ["tavla", "tavli"]);
    assert.equal((await ask({ rotation: "tavli", preset: "quick" })).variant!.preset, "quick");
    assert.equal((await ask({ options })).variant!.kind.case, undefined);
    assert.equal((await ask({})).variant, undefined);
  });
}

test("a double is named", async () => {
  let named = 0;
  const bgcore = fake({
    act: ({ action }) => {
      named = (action!.kind.value as v1.NameDoubleAction).number;
      return {};
    },
  });
  await bgcore.table("t").seat(v1.Seat.WHITE, "w").nameDouble(4);
  assert.equal(named, 4);
});

test("an error tells all that is wrong", () => {
  const fields = { desc: BadRequestSchema, value: { fieldViolations: [{ field: "a", description: "b" }] } };
  const conditions = { desc: PreconditionFailureSchema, value: { violations: [{ subject: "c", description: "d" }] } };
  const error = BgcoreError.of(new ConnectError("no", Code.InvalidArgument, undefined, [fields, conditions]));
  assert.deepEqual(error.violations, [
    { subject: "a", description: "b" },
    { subject: "c", description: "d" },
  ]);
});
