BEGIN TRANSACTION;
CREATE TABLE answers (
	annotator VARCHAR NOT NULL, 
	item VARCHAR NOT NULL, 
	step INTEGER NOT NULL, 
	revision INTEGER NOT NULL, 
	question VARCHAR NOT NULL, 
	candidate VARCHAR NOT NULL, 
	answer VARCHAR NOT NULL, 
	value FLOAT, 
	PRIMARY KEY (annotator, item, step, revision, question, candidate), 
	FOREIGN KEY(annotator, item, step, revision) REFERENCES submissions (annotator, item, step, revision)
)
 WITHOUT ROWID

;
INSERT INTO "answers" VALUES('ann','c000',1,1,'plausible','','5',5.0);
INSERT INTO "answers" VALUES('ann','t000',1,1,'plausible','','5',5.0);
INSERT INTO "answers" VALUES('ann','t001',1,1,'plausible','','5',5.0);
INSERT INTO "answers" VALUES('ann','t002',1,1,'plausible','','5',5.0);
INSERT INTO "answers" VALUES('bob','c000',1,1,'plausible','','2',2.0);
INSERT INTO "answers" VALUES('bob','t000',1,1,'plausible','','2',2.0);
INSERT INTO "answers" VALUES('bob','t001',1,1,'plausible','','2',2.0);
INSERT INTO "answers" VALUES('bob','t002',1,1,'plausible','','2',2.0);
INSERT INTO "answers" VALUES('cat','t001',1,1,'plausible','','5',5.0);
CREATE TABLE changes (
	number INTEGER NOT NULL, 
	made FLOAT NOT NULL, 
	what VARCHAR NOT NULL, 
	item VARCHAR, 
	"before" VARCHAR, 
	"after" VARCHAR, 
	PRIMARY KEY (number)
);
CREATE TABLE exclusions (
	number INTEGER NOT NULL, 
	annotator VARCHAR NOT NULL, 
	item VARCHAR, 
	reason VARCHAR NOT NULL, 
	made FLOAT NOT NULL, 
	undone FLOAT, 
	PRIMARY KEY (number), 
	FOREIGN KEY(annotator) REFERENCES people (annotator), 
	FOREIGN KEY(item) REFERENCES items (item)
);
INSERT INTO "exclusions" VALUES(1,'bob',NULL,'r',1000000.0,NULL);
CREATE TABLE facts (
	name VARCHAR NOT NULL, 
	value VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "facts" VALUES('study','da772d381be4339e');
INSERT INTO "facts" VALUES('schema','2');
INSERT INTO "facts" VALUES('form','pap@d826788720');
CREATE TABLE items (
	item VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	content VARCHAR NOT NULL, 
	target INTEGER, 
	exact INTEGER NOT NULL, 
	taken INTEGER NOT NULL, 
	round INTEGER NOT NULL, 
	refused INTEGER NOT NULL, 
	withdrawn INTEGER NOT NULL, 
	expected VARCHAR, 
	condition VARCHAR, 
	item_group VARCHAR, 
	language VARCHAR, 
	PRIMARY KEY (item), 
	CONSTRAINT taken_is_a_count CHECK (taken >= 0), 
	CONSTRAINT never_over_target CHECK (exact = 0 OR taken <= target), 
	CONSTRAINT kind_is_known CHECK (kind IN ('item', 'check', 'gold', 'attention'))
);
INSERT INTO "items" VALUES('t000','item','c4618e4496fc6002',2,1,2,1,0,0,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('t001','item','0b4b6a3b33e7f32d',2,1,2,1,0,0,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('t002','item','5e315170aa7c235a',2,1,2,1,0,0,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('c000','check','b5f5904f26568712',NULL,0,2,1,0,0,'plausible',NULL,NULL,NULL);
CREATE TABLE people (
	annotator VARCHAR NOT NULL, 
	source VARCHAR NOT NULL, 
	round INTEGER NOT NULL, 
	joined FLOAT NOT NULL, 
	consented FLOAT, 
	finished FLOAT, 
	withdrew FLOAT, 
	language VARCHAR, 
	PRIMARY KEY (annotator)
);
INSERT INTO "people" VALUES('ann','link',1,1000000.0,NULL,1000000.0,NULL,NULL);
INSERT INTO "people" VALUES('bob','link',1,1000000.0,NULL,1000000.0,NULL,NULL);
INSERT INTO "people" VALUES('cat','link',1,1000000.0,NULL,NULL,NULL,NULL);
CREATE TABLE reopened (
	round INTEGER NOT NULL, 
	item VARCHAR NOT NULL, 
	target INTEGER NOT NULL, 
	"before" INTEGER NOT NULL, 
	PRIMARY KEY (round, item)
);
CREATE TABLE rounds (
	round INTEGER NOT NULL, 
	opened FLOAT NOT NULL, 
	fewer_than INTEGER, 
	ratings INTEGER, 
	undone FLOAT, 
	PRIMARY KEY (round)
);
INSERT INTO "rounds" VALUES(1,1000000.0,NULL,NULL,NULL);
CREATE TABLE screened (
	annotator VARCHAR NOT NULL, 
	made FLOAT NOT NULL, 
	undone FLOAT, 
	PRIMARY KEY (annotator)
);
CREATE TABLE slots (
	annotator VARCHAR NOT NULL, 
	item VARCHAR NOT NULL, 
	reservation VARCHAR NOT NULL, 
	batch INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	state VARCHAR NOT NULL, 
	expires FLOAT NOT NULL, 
	shown FLOAT, 
	step INTEGER NOT NULL, 
	revision INTEGER NOT NULL, 
	last INTEGER, 
	survey VARCHAR, 
	was VARCHAR, 
	cause VARCHAR, 
	PRIMARY KEY (annotator, item), 
	CONSTRAINT state_is_known CHECK (state IN ('reserved', 'answered', 'accepted', 'void')), 
	CONSTRAINT answered_has_an_answer CHECK (state NOT IN ('answered', 'accepted') OR revision > 0), 
	CONSTRAINT void_has_a_cause CHECK ((state = 'void') = (cause IS NOT NULL)), 
	FOREIGN KEY(annotator) REFERENCES people (annotator), 
	FOREIGN KEY(item) REFERENCES items (item), 
	UNIQUE (reservation)
)
 WITHOUT ROWID

;
INSERT INTO "slots" VALUES('ann','c000','afTjN4n-kKhtDDkq6pNe',1,4,'accepted',1001800.0,1000000.0,2,1,1,NULL,NULL,NULL);
INSERT INTO "slots" VALUES('ann','t000','tQOV8LzoJQWoA5BM5CKp',1,3,'accepted',1001800.0,1000000.0,2,1,1,NULL,NULL,NULL);
INSERT INTO "slots" VALUES('ann','t001','653fAzugO3fvwdAVVKj3',1,2,'accepted',1001800.0,1000000.0,2,1,1,NULL,NULL,NULL);
INSERT INTO "slots" VALUES('ann','t002','opoQwIYFicoIYirAMxi1',1,1,'accepted',1001800.0,1000000.0,2,1,1,NULL,NULL,NULL);
INSERT INTO "slots" VALUES('bob','c000','kB3p25jBzIxFx_TGPY5_',1,3,'void',1001800.0,1000000.0,2,1,1,NULL,'answered','excluded');
INSERT INTO "slots" VALUES('bob','t000','ctONcVs79bCmuunF6rbe',1,4,'void',1001800.0,1000000.0,2,1,1,NULL,'answered','excluded');
INSERT INTO "slots" VALUES('bob','t001','pzyjVJaiZM1u3BHr7N8j',1,1,'void',1001800.0,1000000.0,2,1,1,NULL,'answered','excluded');
INSERT INTO "slots" VALUES('bob','t002','21QwWDA6qwxTUQtTObQZ',1,2,'void',1001800.0,1000000.0,2,1,1,NULL,'answered','excluded');
INSERT INTO "slots" VALUES('cat','c000','e0sZpyXWotjP8_7jSEVP',1,4,'reserved',1001800.0,NULL,1,0,NULL,NULL,NULL,NULL);
INSERT INTO "slots" VALUES('cat','t000','Sl0LrDGD85RvactcRbUS',1,2,'reserved',1001800.0,NULL,1,0,NULL,NULL,NULL,NULL);
INSERT INTO "slots" VALUES('cat','t001','GLsrRjU8FbhOnFxNT0oX',1,1,'answered',1001800.0,1000000.0,2,1,1,NULL,NULL,NULL);
INSERT INTO "slots" VALUES('cat','t002','mPyEMq9vQL3KzP07vczr',1,3,'reserved',1001800.0,NULL,1,0,NULL,NULL,NULL,NULL);
CREATE TABLE submissions (
	annotator VARCHAR NOT NULL, 
	item VARCHAR NOT NULL, 
	step INTEGER NOT NULL, 
	revision INTEGER NOT NULL, 
	"key" VARCHAR NOT NULL, 
	form VARCHAR NOT NULL, 
	shown FLOAT NOT NULL, 
	submitted FLOAT NOT NULL, 
	comment VARCHAR, 
	PRIMARY KEY (annotator, item, step, revision), 
	FOREIGN KEY(annotator, item) REFERENCES slots (annotator, item), 
	CONSTRAINT a_key_is_used_once UNIQUE (annotator, "key")
)
 WITHOUT ROWID

;
INSERT INTO "submissions" VALUES('ann','c000',1,1,'afTjN4n-kKhtDDkq6pNe-1','pap@d826788720',1000000.0,1000000.0,NULL);
INSERT INTO "submissions" VALUES('ann','t000',1,1,'tQOV8LzoJQWoA5BM5CKp-1','pap@d826788720',1000000.0,1000000.0,NULL);
INSERT INTO "submissions" VALUES('ann','t001',1,1,'653fAzugO3fvwdAVVKj3-1','pap@d826788720',1000000.0,1000000.0,NULL);
INSERT INTO "submissions" VALUES('ann','t002',1,1,'opoQwIYFicoIYirAMxi1-1','pap@d826788720',1000000.0,1000000.0,NULL);
INSERT INTO "submissions" VALUES('bob','c000',1,1,'kB3p25jBzIxFx_TGPY5_-1','pap@d826788720',1000000.0,1000000.0,NULL);
INSERT INTO "submissions" VALUES('bob','t000',1,1,'ctONcVs79bCmuunF6rbe-1','pap@d826788720',1000000.0,1000000.0,NULL);
INSERT INTO "submissions" VALUES('bob','t001',1,1,'pzyjVJaiZM1u3BHr7N8j-1','pap@d826788720',1000000.0,1000000.0,NULL);
INSERT INTO "submissions" VALUES('bob','t002',1,1,'21QwWDA6qwxTUQtTObQZ-1','pap@d826788720',1000000.0,1000000.0,NULL);
INSERT INTO "submissions" VALUES('cat','t001',1,1,'GLsrRjU8FbhOnFxNT0oX-1','pap@d826788720',1000000.0,1000000.0,NULL);
CREATE TABLE surveys (
	survey VARCHAR NOT NULL, 
	position INTEGER NOT NULL, 
	item VARCHAR NOT NULL, 
	PRIMARY KEY (survey, position), 
	FOREIGN KEY(item) REFERENCES items (item)
);
CREATE INDEX open_items ON items (round, target - taken) WHERE kind = 'item' AND withdrawn = 0;
CREATE INDEX open_checks ON items (item) WHERE kind != 'item' AND withdrawn = 0;
CREATE INDEX excluded ON exclusions (annotator) WHERE undone IS NULL;
CREATE INDEX slots_of_an_item ON slots (item);
CREATE INDEX surplus ON slots (item) WHERE cause = 'surplus';
CREATE INDEX leases ON slots (expires) WHERE state = 'reserved';
CREATE TRIGGER slot_taken AFTER INSERT ON slots WHEN NEW.state <> 'void'
    BEGIN UPDATE items SET taken = taken + 1 WHERE item = NEW.item; END;
CREATE TRIGGER slot_freed AFTER UPDATE OF state ON slots
    WHEN OLD.state <> 'void' AND NEW.state = 'void'
    BEGIN UPDATE items SET taken = taken - 1 WHERE item = NEW.item; END;
CREATE TRIGGER slot_retaken AFTER UPDATE OF state ON slots
    WHEN OLD.state = 'void' AND NEW.state <> 'void'
    BEGIN UPDATE items SET taken = taken + 1 WHERE item = NEW.item; END;
CREATE TRIGGER slot_path BEFORE UPDATE OF state ON slots WHEN NOT (
    (OLD.state = 'reserved' AND NEW.state IN ('answered', 'void'))
    OR (OLD.state = 'answered' AND NEW.state IN ('answered', 'accepted', 'void'))
    OR (OLD.state = 'accepted' AND NEW.state = 'void')
    OR (OLD.state = 'void' AND NEW.state IN ('reserved', 'answered', 'accepted')
        AND OLD.was IS NEW.state)
    OR OLD.state = NEW.state
)
    BEGIN SELECT RAISE(ABORT, 'a slot cannot change its state this way'); END;
CREATE TRIGGER slots_stay BEFORE DELETE ON slots
        BEGIN SELECT RAISE(ABORT, 'slots are never deleted'); END;
CREATE TRIGGER submissions_stay BEFORE DELETE ON submissions
        BEGIN SELECT RAISE(ABORT, 'submissions are never deleted'); END;
CREATE TRIGGER answers_stay BEFORE DELETE ON answers
        BEGIN SELECT RAISE(ABORT, 'answers are never deleted'); END;
CREATE TRIGGER people_stay BEFORE DELETE ON people
        BEGIN SELECT RAISE(ABORT, 'people are never deleted'); END;
CREATE TRIGGER exclusions_stay BEFORE DELETE ON exclusions
        BEGIN SELECT RAISE(ABORT, 'exclusions are never deleted'); END;
CREATE TRIGGER submissions_append BEFORE UPDATE ON submissions
        BEGIN SELECT RAISE(ABORT, 'submissions are only appended'); END;
CREATE TRIGGER answers_append BEFORE UPDATE ON answers
        BEGIN SELECT RAISE(ABORT, 'answers are only appended'); END;
COMMIT;
