// A page of another origin in Chromium. BGCORE_ADDRESS is the gRPC port of a server, BGCORE_WEB its HTTP port, and
// PAGE and STRANGER are where the page is served: the server lists the origin of the first one only.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { chromium } from "playwright-core";
import { connect, v1 } from "../../clients/typescript/dist/index.js";

const { BGCORE_ADDRESS, BGCORE_WEB, PAGE, STRANGER, CHROMIUM } = process.env;

// Nothing that looks for the network by itself; as root there is no sandbox to be had.
const FLAGS = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

describe("a page in Chromium", () => {
  let browser;
  const elsewhere = connect(BGCORE_ADDRESS);
  before(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  });
  after(async () => {
    await browser?.close();
    elsewhere.close();
  });

  const open = async (at, wanted) => {
    const page = await browser.newPage();
    await page.goto(`${at}/?${new URLSearchParams({ server: BGCORE_WEB, ...wanted })}`);
    return page;
  };
  const text = async (page, selector) => {
    await page.locator(selector).filter({ hasText: /./ }).first().waitFor({ state: "attached" });
    return page.locator(selector).allTextContents();
  };

  for (const protocol of ["connect-json", "connect", "grpc-web"]) {
    test(`lists plays, reads errors, watches and acts over ${protocol}`, async () => {
      const table = await elsewhere.createTable({ variant: "western", diceMode: v1.DiceMode.MANUAL });
      const page = await open(PAGE, { protocol, table: table.id });

      assert.deepEqual(await text(page, "#updates li"), ["0 snapshot"]);
      const plays = await page.locator("#plays li").allTextContents();
      assert.equal(plays.length, 16);
      assert.ok(plays.includes("8/5 6/5"));

      const refused = JSON.parse(await page.locator("#refused").textContent());
      assert.equal(refused.reason, "UNKNOWN_VARIANT");
      assert.equal(refused.metadata.value, "no-such-game");
      assert.match(refused.message, /no-such-game/);

      // The page sits down, with a token of its own; somebody else acts, and the page hears of it.
      await page.evaluate("sit()");
      const other = await table.join({ side: v1.Seat.BLACK });
      const thrown = await other.throw([6, 1]);
      const updates = page.locator("#updates li");
      await updates.filter({ hasText: `${thrown.lastRevision} ` }).waitFor();

      // And the other way round; every revision once and in order.
      const played = await page.evaluate("play('13/7 8/7')");
      await updates.filter({ hasText: `${played} ` }).waitFor();
      const revisions = (await updates.allTextContents()).map((line) => Number.parseInt(line));
      assert.deepEqual(revisions, Array.from({ length: played + 1 }, (_, index) => index));
      assert.equal(await page.locator("#failed").textContent(), "");
      await page.close();
    });

    test(`of an origin that is not listed gets nothing over ${protocol}`, async () => {
      const page = await open(STRANGER, { protocol });
      const [failed] = await text(page, "#failed");
      assert.match(failed, /Failed to fetch/);
      assert.deepEqual(await page.locator("#plays li").allTextContents(), []);
      await page.close();
    });
  }
});
