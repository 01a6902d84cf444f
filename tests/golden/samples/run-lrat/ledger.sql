BEGIN TRANSACTION;
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO "about" VALUES('task','5f03379e659005a360bcf27455fd4a188c84fae01b393ca1c667781cf9168a13');
CREATE TABLE cube (name TEXT PRIMARY KEY) WITHOUT ROWID;
INSERT INTO "cube" VALUES('+2');
INSERT INTO "cube" VALUES('-2');
CREATE TABLE place (cube TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (cube, key)) WITHOUT ROWID;
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
INSERT INTO "record" VALUES(1,'-2','done','0','[]','e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855','[]','2b75ac02c133a788e10bc545c53b3cae1e9ea9849818e4b16ca18b8ca177c7e5','cadical195','',1.81362880000000281643e-02,1.79578856583090949055e+09);
INSERT INTO "record" VALUES(2,'+2','done','0','[]','e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855','[]','c79cdc2b25bf409d5a0bd6b005ee87222c4fb80b30fe98f9c18d837ff2b7a8a8','cadical195','',1.69967440000000358235e-02,1.79578856587958049775e+09);
CREATE TABLE solution (key TEXT PRIMARY KEY, edges BLOB NOT NULL);
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
