-- A database of bgcore 0.1 (schema version 1), dumped: a table where Black has doubled, and one that waits.
BEGIN TRANSACTION;
CREATE TABLE events (
    "table" INTEGER NOT NULL REFERENCES tables (number),
    revision INTEGER NOT NULL,
    time INTEGER NOT NULL,
    seat INTEGER,
    request_id TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY ("table", revision)
) WITHOUT ROWID;
INSERT INTO "events" VALUES(1,1,1796034741333415,0,'','{"kind":"seat_taken","seat":"white","name":""}');
INSERT INTO "events" VALUES(1,2,1796034741336689,1,'','{"kind":"seat_taken","seat":"black","name":""}');
INSERT INTO "events" VALUES(1,3,1796034741340023,0,'','{"kind":"throw","dice":[3,1]}');
INSERT INTO "events" VALUES(1,4,1796034741342115,0,'','{"kind":"play","seat":"white","play":"8/5 6/5"}');
INSERT INTO "events" VALUES(1,5,1796034741353685,1,'an id of a double','{"kind":"double","seat":"black"}');
CREATE TABLE requests (
    "table" INTEGER NOT NULL,
    scope TEXT NOT NULL,
    id TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY ("table", scope, id)
) WITHOUT ROWID;
INSERT INTO "requests" VALUES(0,'create','an id of a table',X'43FECD149D3E063BE8485DC22ACC41C7',2,2);
INSERT INTO "requests" VALUES(1,'black','an id of a double',X'37AA3970B6801C9D286464F7D86E50BF',5,5);
CREATE TABLE schema_version (version INTEGER NOT NULL);
INSERT INTO "schema_version" VALUES(1);
CREATE TABLE seats (
    "table" INTEGER NOT NULL REFERENCES tables (number),
    seat INTEGER NOT NULL,
    name TEXT NOT NULL,
    bot TEXT NOT NULL,
    taken INTEGER NOT NULL,
    token BLOB NOT NULL,
    salt BLOB NOT NULL,
    PRIMARY KEY ("table", seat)
) WITHOUT ROWID;
INSERT INTO "seats" VALUES(1,0,'','',1,X'51FADB6F87788FD7526787D212D224D624B9BC6785BF412E23F07F74784454E2',X'23BC2C5B3BEDCEE55361233882A7D1987EDFDF03FE888785783F952F0050825A');
INSERT INTO "seats" VALUES(1,1,'','',1,X'AEBC465FA9C5325E7CB47685D53327B9B515304E026944146E47D4B5C50F6823',X'BDE69D55448BE88B781E7976359E601058FF82C285D038372CFDC5E4D94399A7');
INSERT INTO "seats" VALUES(2,0,'','',0,X'',X'');
INSERT INTO "seats" VALUES(2,1,'','',0,X'',X'');
CREATE TABLE tables (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    variant TEXT NOT NULL,
    rules_version TEXT NOT NULL,
    settings TEXT NOT NULL,
    status INTEGER NOT NULL,
    visibility INTEGER NOT NULL,
    revision INTEGER NOT NULL
);
INSERT INTO "tables" VALUES(1,'7d7ab81867948aad48dde582',1796034741329732,1796034741353685,'western','1','{"preset":"","options":{},"resolved":{"opening_roll":"play_dice","later_starter":"opening_roll","higher_die_rule":true,"gammon_value":2,"backgammon_value":3,"cube":true,"cube_cap":64,"crawford":true,"dead_cube_rule":false,"holland":false,"holland_scope":"trailing","jacoby":false,"animals":0,"animals_refusable":true,"auto_doubles":0,"auto_double_66":"double","auto_double_satisfies_jacoby":false,"double_before_first_roll":false,"decline_cost":"stake","money_rules_in_match":"reject","match_length":7,"resign_when":"any","resign_auto_accept":true,"illegal_moves":"reject","clock":"none","bank_per_point":120,"bank_fixed":null,"step":12,"flag_loses":"match","options_locked":false},"dice_mode":3,"seed":0,"start":null,"names":["",""],"bots":["",""],"server_seed":"","dice_seeds":["",""],"past":0}',2,1,5);
INSERT INTO "tables" VALUES(2,'f412df4787e62e8b7af268bc',1796034741356723,1796034741356723,'tavla','1','{"preset":"","options":{},"resolved":{"opening_roll":"play_dice","later_starter":"opening_roll","home_hit_and_run":true,"backgammon_value":2,"cube":false,"cube_cap":64,"crawford":true,"dead_cube_rule":false,"holland":false,"holland_scope":"trailing","jacoby":false,"animals":0,"animals_refusable":true,"auto_doubles":0,"auto_double_66":"double","auto_double_satisfies_jacoby":false,"double_before_first_roll":false,"decline_cost":"stake","money_rules_in_match":"reject","match_length":5,"resign_when":"any","resign_auto_accept":true,"illegal_moves":"reject","clock":"none","bank_per_point":120,"bank_fixed":null,"step":12,"flag_loses":"match","options_locked":false},"dice_mode":1,"seed":0,"start":null,"names":["",""],"bots":["",""],"server_seed":"","dice_seeds":["",""],"past":0}',1,1,0);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('tables',2);
COMMIT;
