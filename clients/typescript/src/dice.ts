// Committed dice, checked by the player: whether every throw follows from the seeds. Nothing of the server's is used or
// believed here, only what docs/dice.md describes as bgcore-dice-1.

import { create } from "@bufbuild/protobuf";
import type { Seat } from "./seat.js";
import { DiceFaultSchema, Seat as Side, type DiceFault, type DiceProof, type Event } from "./v1.js";

const SCHEME = "bgcore-dice-1";
const SERVER_SEED = /^[0-9a-f]{64}$/i;
const FACES = 6;
/** Bytes below it give each number equally often; the others are skipped. */
const FAIR_BYTES = 252;

type Seeds = readonly [white: string, black: string];

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const utf8 = (text: string) => new TextEncoder().encode(text);
const sha256 = async (bytes: Uint8Array<ArrayBuffer>) => hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));

/** The throw of so many dice with a number, the first is 0, at a table with committed dice. */
export async function derive(
  serverSeed: Uint8Array<ArrayBuffer>,
  [white, black]: Seeds,
  number: number,
  dice: number,
): Promise<number[]> {
  const key = await crypto.subtle.importKey("raw", serverSeed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const derived: number[] = [];
  for (let block = 0; derived.length < dice; block++) {
    const message = [SCHEME, hex(utf8(white)), hex(utf8(black)), number, dice, block].join(":");
    const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, utf8(message)));
    derived.push(...Array.from(bytes.filter((byte) => byte < FAIR_BYTES), (byte) => (byte % FACES) + 1));
  }
  return derived.slice(0, dice);
}

/**
 * Everything that does not hold of the committed dice of a match; nothing, if every throw follows from the seeds.
 *
 * `events` are all of the table, such as `table.events()` gives them; what fell before the first player sat down was told
 * by a record that the table was made from, and is none of its own. `seat` is the player's own, with what `join`, or
 * `rematch`, noted: without, nobody knows whether the commitment and the seed are those from before play. The match is
 * `matchNumber`, or else that of the note, or else the last; the proof must be of the same one.
 */
export async function checkDice(
  proof: DiceProof,
  events: AsyncIterable<Event> | Iterable<Event>,
  seat?: Seat,
  matchNumber = seat ? (seat.noted?.matchNumber ?? 1) : 0,
): Promise<DiceFault[]> {
  const faults = await proofFaults(proof, seat);
  const secret = serverSeed(proof);
  if (!secret || !proof.whiteSeed || !proof.blackSeed) return faults;
  const before = faults.length;
  let [number, seated, match] = [0, false, 1];
  for await (const { revision, kind } of events) {
    if (kind.case === "matchStarted") {
      if (match === matchNumber) break;
      [number, match] = [0, kind.value.matchNumber];
      faults.length = before;
    }
    if (kind.case === "seatTaken" && !seated) {
      [number, seated] = [0, true];
      faults.length = before;
    }
    const thrown = kind.case === "action" ? diceOf(kind.value.kind) : [];
    if (!thrown.length) continue;
    const derived = await derive(secret, [proof.whiteSeed, proof.blackSeed], number, thrown.length);
    const [was, expected] = [thrown.join("-"), derived.join("-")];
    if (was !== expected) {
      const what = `throw ${number} (the first is 0)`;
      faults.push(fault("THROW_NOT_DERIVED", what, was, `${expected}, which the seeds give`, revision));
    }
    number++;
  }
  if (matchNumber && match !== matchNumber) faults.length = before; // it has not begun
  return faults;
}

/** A player's seed that follows from a request id and does not tell it. */
export function seedOf(requestId: string): Promise<string> {
  return sha256(utf8(`bgcore-dice-seed:${requestId}`));
}

type Kind = Extract<Event["kind"], { case: "action" }>["value"]["kind"];

function diceOf(kind: Kind): readonly number[] {
  return kind.case === "throw" || kind.case === "roll" ? kind.value.dice : [];
}

/** What does not hold before any throw is looked at. */
async function proofFaults(proof: DiceProof, seat?: Seat): Promise<DiceFault[]> {
  const faults: DiceFault[] = [];
  const add = (...about: [string, string, string, string]) => void faults.push(fault(...about));
  if (proof.scheme !== SCHEME) add("SCHEME_UNKNOWN", "scheme", proof.scheme, SCHEME);
  for (const [name, seed] of [["white_seed", proof.whiteSeed], ["black_seed", proof.blackSeed]] as const) {
    if (!seed) add("DICE_SEED_MISSING", name, "", "the seed that the player gave");
  }
  const secret = serverSeed(proof);
  if (!secret) {
    add("SERVER_SEED_SECRET", "server_seed", proof.serverSeed, "64 hex digits, revealed when the match is over");
  } else if ((await sha256(secret)) !== proof.commitment) {
    const expected = `${await sha256(secret)}, which is SHA-256 of the server seed`;
    add("COMMITMENT_BROKEN", "commitment", proof.commitment, expected);
  }
  if (!seat) return faults;
  const { seed, commitment } = seat.noted ?? { seed: "", commitment: "" };
  if (proof.commitment !== commitment) {
    add("COMMITMENT_CHANGED", "commitment", proof.commitment, `${commitment}, which the table showed before play`);
  }
  const given = seat.side === Side.BLACK ? proof.blackSeed : proof.whiteSeed;
  if (given !== seed) add("DICE_SEED_CHANGED", "seed", given, `${seed}, which I gave`);
  return faults;
}

/** The server's seed if it has been revealed and is one. */
function serverSeed({ serverSeed: text }: DiceProof): Uint8Array<ArrayBuffer> | undefined {
  if (!SERVER_SEED.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g)!, (digits) => parseInt(digits, 16));
}

function fault(reason: string, what: string, value: string, expected: string, revision = 0): DiceFault {
  const message = `${what} was ${value || "missing"}: expected ${expected}`;
  return create(DiceFaultSchema, { revision, reason, value, expected, message });
}
