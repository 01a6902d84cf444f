BEGIN TRANSACTION;
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO "about" VALUES('task','8e9300b98d501feb1638eb1769fa303f25ebaa73c57a73778261551692ef35d9');
CREATE TABLE cube (name TEXT PRIMARY KEY) WITHOUT ROWID;
INSERT INTO "cube" VALUES('+3');
INSERT INTO "cube" VALUES('-3');
CREATE TABLE place (cube TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (cube, key)) WITHOUT ROWID;
INSERT INTO "place" VALUES('+3','e2fce79203eec055fb27def705260ada');
CREATE TABLE record (
    id INTEGER PRIMARY KEY,
    cube TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('done', 'split', 'failed')),
    count TEXT NOT NULL,
    by_value TEXT NOT NULL,
    digest TEXT NOT NULL,
    parts TEXT NOT NULL,
    proof TEXT NOT NULL,
    engine TEXT NOT NULL,
    reason TEXT NOT NULL,
    seconds REAL NOT NULL,
    at REAL NOT NULL
);
INSERT INTO "record" VALUES(1,'+3','done','1','[]','21a4957d76c7b9446df2972c6b9d681ba5f5fedeaa66c3feffc5f0f1b4006672','[]','','sat','',3.58344039999999863788e-02,1.79573793399529504782e+09);
INSERT INTO "record" VALUES(2,'-3','done','0','[]','e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855','[]','','sat','',2.41185600000004551901e-03,1.7957379340255844593e+09);
CREATE TABLE solution (key TEXT PRIMARY KEY, edges BLOB NOT NULL);
INSERT INTO "solution" VALUES('e2fce79203eec055fb27def705260ada',X'0300000005000000090000000D00000010000000');
CREATE UNIQUE INDEX settled ON record (cube) WHERE state IN ('done', 'split');
CREATE INDEX latest ON record (cube);
CREATE TRIGGER about_update BEFORE UPDATE ON about BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;
CREATE TRIGGER about_delete BEFORE DELETE ON about BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;
CREATE TRIGGER cube_update BEFORE UPDATE ON cube BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;
CREATE TRIGGER cube_delete BEFORE DELETE ON cube BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;
CREATE TRIGGER record_update BEFORE UPDATE ON record BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;
CREATE TRIGGER record_delete BEFORE DELETE ON record BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;
CREATE TRIGGER solution_update BEFORE UPDATE ON solution BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;
CREATE TRIGGER solution_delete BEFORE DELETE ON solution BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;
CREATE TRIGGER place_update BEFORE UPDATE ON place BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;
CREATE TRIGGER place_delete BEFORE DELETE ON place BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;
COMMIT;
