BEGIN TRANSACTION;
CREATE TABLE answers (
	annotator VARCHAR NOT NULL, 
	item VARCHAR NOT NULL, 
	revision INTEGER NOT NULL, 
	question VARCHAR NOT NULL, 
	candidate VARCHAR NOT NULL, 
	answer VARCHAR NOT NULL, 
	value FLOAT, 
	PRIMARY KEY (annotator, item, revision, question, candidate), 
	FOREIGN KEY(annotator, item, revision) REFERENCES submissions (annotator, item, revision)
)
 WITHOUT ROWID

;
INSERT INTO "answers" VALUES('ann','c000',1,'plausible','','4',4.0);
INSERT INTO "answers" VALUES('ann','c001',1,'plausible','','4',4.0);
INSERT INTO "answers" VALUES('ann','t000',1,'plausible','','4',4.0);
INSERT INTO "answers" VALUES('ann','t001',1,'plausible','','4',4.0);
INSERT INTO "answers" VALUES('ann','t002',1,'plausible','','4',4.0);
INSERT INTO "answers" VALUES('ann','t003',1,'plausible','','4',4.0);
INSERT INTO "answers" VALUES('ann','t004',1,'plausible','','4',4.0);
INSERT INTO "answers" VALUES('ann','t005',1,'plausible','','4',4.0);
INSERT INTO "answers" VALUES('bob','c000',1,'plausible','','1',1.0);
INSERT INTO "answers" VALUES('bob','c001',1,'plausible','','1',1.0);
INSERT INTO "answers" VALUES('bob','t000',1,'plausible','','1',1.0);
INSERT INTO "answers" VALUES('bob','t001',1,'plausible','','1',1.0);
INSERT INTO "answers" VALUES('bob','t002',1,'plausible','','1',1.0);
INSERT INTO "answers" VALUES('bob','t003',1,'plausible','','1',1.0);
INSERT INTO "answers" VALUES('bob','t004',1,'plausible','','1',1.0);
INSERT INTO "answers" VALUES('bob','t005',1,'plausible','','1',1.0);
INSERT INTO "answers" VALUES('cyd','t000',1,'plausible','','2',2.0);
INSERT INTO "answers" VALUES('cyd','t000',2,'plausible','','5',5.0);
INSERT INTO "answers" VALUES('dan','c000',1,'plausible','','5',5.0);
INSERT INTO "answers" VALUES('dan','c001',1,'plausible','','5',5.0);
INSERT INTO "answers" VALUES('dan','t000',1,'plausible','','5',5.0);
INSERT INTO "answers" VALUES('dan','t001',1,'plausible','','5',5.0);
INSERT INTO "answers" VALUES('dan','t002',1,'plausible','','5',5.0);
INSERT INTO "answers" VALUES('dan','t003',1,'plausible','','5',5.0);
INSERT INTO "answers" VALUES('dan','t004',1,'plausible','','5',5.0);
INSERT INTO "answers" VALUES('dan','t005',1,'plausible','','5',5.0);
INSERT INTO "answers" VALUES('gus','t003',1,'plausible','','5',5.0);
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
INSERT INTO "exclusions" VALUES(1,'bob',NULL,'bot',1000040.0,1000210.0);
CREATE TABLE facts (
	name VARCHAR NOT NULL, 
	value VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "facts" VALUES('study','0123456789abcdef');
INSERT INTO "facts" VALUES('schema','1');
INSERT INTO "facts" VALUES('key','ffffffffffffffff');
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
	PRIMARY KEY (item), 
	CONSTRAINT taken_is_a_count CHECK (taken >= 0), 
	CONSTRAINT never_over_target CHECK (exact = 0 OR taken <= target), 
	CONSTRAINT kind_is_known CHECK (kind IN ('item', 'check', 'gold', 'attention'))
);
INSERT INTO "items" VALUES('t000','item','c4618e4496fc6002',5,1,3,2,0,0);
INSERT INTO "items" VALUES('t001','item','0b4b6a3b33e7f32d',5,1,4,2,0,0);
INSERT INTO "items" VALUES('t002','item','5e315170aa7c235a',5,1,3,2,0,0);
INSERT INTO "items" VALUES('t003','item','b76f240641903dcd',5,1,4,2,0,0);
INSERT INTO "items" VALUES('t004','item','dad7c8093177c2b1',5,1,4,2,0,0);
INSERT INTO "items" VALUES('t005','item','cf958f820c2e655f',3,1,0,1,0,1);
INSERT INTO "items" VALUES('c000','check','b5f5904f26568712',NULL,0,4,1,0,0);
INSERT INTO "items" VALUES('c001','check','42c0dfa05a987e24',NULL,0,3,1,0,0);
CREATE TABLE people (
	annotator VARCHAR NOT NULL, 
	source VARCHAR NOT NULL, 
	round INTEGER NOT NULL, 
	joined FLOAT NOT NULL, 
	consented FLOAT, 
	finished FLOAT, 
	PRIMARY KEY (annotator)
);
INSERT INTO "people" VALUES('ann','link',1,1000000.0,NULL,1000000.0);
INSERT INTO "people" VALUES('bob','link',1,1000010.0,NULL,1000010.0);
INSERT INTO "people" VALUES('cyd','link',1,1000020.0,NULL,NULL);
INSERT INTO "people" VALUES('dan','link',1,1000200.0,NULL,1000200.0);
INSERT INTO "people" VALUES('gus','link',2,1000240.0,NULL,NULL);
CREATE TABLE rounds (
	round INTEGER NOT NULL, 
	opened FLOAT NOT NULL, 
	fewer_than INTEGER, 
	ratings INTEGER, 
	PRIMARY KEY (round)
);
INSERT INTO "rounds" VALUES(1,1000000.0,NULL,NULL);
INSERT INTO "rounds" VALUES(2,1000230.0,4,2);
CREATE TABLE screened (
	annotator VARCHAR NOT NULL, 
	made FLOAT NOT NULL, 
	undone FLOAT, 
	PRIMARY KEY (annotator)
);
INSERT INTO "screened" VALUES('eve',1000030.0,NULL);
CREATE TABLE slots (
	annotator VARCHAR NOT NULL, 
	item VARCHAR NOT NULL, 
	reservation VARCHAR NOT NULL, 
	batch INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	state VARCHAR NOT NULL, 
	expires FLOAT NOT NULL, 
	shown FLOAT, 
	revision INTEGER NOT NULL, 
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
INSERT INTO "slots" VALUES('ann','c000','r0005',2,1,'accepted',1000060.0,1000000.0,1,NULL,NULL);
INSERT INTO "slots" VALUES('ann','c001','r0001',1,1,'answered',1000060.0,1000000.0,1,NULL,NULL);
INSERT INTO "slots" VALUES('ann','t000','r0004',1,4,'answered',1000060.0,1000000.0,1,NULL,NULL);
INSERT INTO "slots" VALUES('ann','t001','r0002',1,2,'answered',1000060.0,1000000.0,1,NULL,NULL);
INSERT INTO "slots" VALUES('ann','t002','r0003',1,3,'answered',1000060.0,1000000.0,1,NULL,NULL);
INSERT INTO "slots" VALUES('ann','t003','r0007',2,3,'accepted',1000060.0,1000000.0,1,NULL,NULL);
INSERT INTO "slots" VALUES('ann','t004','r0008',2,4,'accepted',1000060.0,1000000.0,1,NULL,NULL);
INSERT INTO "slots" VALUES('ann','t005','r0006',2,2,'void',1000060.0,1000000.0,1,'accepted','withdrawn');
INSERT INTO "slots" VALUES('bob','c000','r0016',2,4,'answered',1000070.0,1000010.0,1,'answered',NULL);
INSERT INTO "slots" VALUES('bob','c001','r0011',1,3,'accepted',1000070.0,1000010.0,1,'accepted',NULL);
INSERT INTO "slots" VALUES('bob','t000','r0010',1,2,'void',1000070.0,1000010.0,1,'accepted','surplus');
INSERT INTO "slots" VALUES('bob','t001','r0012',1,4,'accepted',1000070.0,1000010.0,1,'accepted',NULL);
INSERT INTO "slots" VALUES('bob','t002','r0013',2,1,'answered',1000070.0,1000010.0,1,'answered',NULL);
INSERT INTO "slots" VALUES('bob','t003','r0014',2,2,'answered',1000070.0,1000010.0,1,'answered',NULL);
INSERT INTO "slots" VALUES('bob','t004','r0015',2,3,'answered',1000070.0,1000010.0,1,'answered',NULL);
INSERT INTO "slots" VALUES('bob','t005','r0009',1,1,'void',1000070.0,1000010.0,1,'accepted','withdrawn');
INSERT INTO "slots" VALUES('cyd','c000','r0019',1,3,'void',1000081.0,NULL,0,'reserved','lapsed');
INSERT INTO "slots" VALUES('cyd','t000','r0017',1,1,'answered',1000080.0,1000020.0,2,NULL,NULL);
INSERT INTO "slots" VALUES('cyd','t003','r0018',1,2,'void',1000081.0,NULL,0,'reserved','lapsed');
INSERT INTO "slots" VALUES('cyd','t004','r0020',1,4,'void',1000081.0,NULL,0,'reserved','lapsed');
INSERT INTO "slots" VALUES('dan','c000','r0022',1,2,'accepted',1000260.0,1000200.0,1,NULL,NULL);
INSERT INTO "slots" VALUES('dan','c001','r0026',2,2,'answered',1000260.0,1000200.0,1,NULL,NULL);
INSERT INTO "slots" VALUES('dan','t000','r0027',2,3,'answered',1000260.0,1000200.0,1,NULL,NULL);
INSERT INTO "slots" VALUES('dan','t001','r0028',2,4,'answered',1000260.0,1000200.0,1,NULL,NULL);
INSERT INTO "slots" VALUES('dan','t002','r0023',1,3,'accepted',1000260.0,1000200.0,1,NULL,NULL);
INSERT INTO "slots" VALUES('dan','t003','r0021',1,1,'accepted',1000260.0,1000200.0,1,NULL,NULL);
INSERT INTO "slots" VALUES('dan','t004','r0025',2,1,'answered',1000260.0,1000200.0,1,NULL,NULL);
INSERT INTO "slots" VALUES('dan','t005','r0024',1,4,'void',1000260.0,1000200.0,1,'accepted','withdrawn');
INSERT INTO "slots" VALUES('gus','c000','r0031',1,3,'reserved',1000301.0,NULL,0,NULL,NULL);
INSERT INTO "slots" VALUES('gus','t001','r0032',1,4,'reserved',1000301.0,NULL,0,NULL,NULL);
INSERT INTO "slots" VALUES('gus','t003','r0029',1,1,'answered',1000301.0,1000241.0,1,NULL,NULL);
INSERT INTO "slots" VALUES('gus','t004','r0030',1,2,'reserved',1000301.0,NULL,0,NULL,NULL);
CREATE TABLE submissions (
	annotator VARCHAR NOT NULL, 
	item VARCHAR NOT NULL, 
	revision INTEGER NOT NULL, 
	"key" VARCHAR NOT NULL, 
	form VARCHAR NOT NULL, 
	shown FLOAT NOT NULL, 
	submitted FLOAT NOT NULL, 
	comment VARCHAR, 
	PRIMARY KEY (annotator, item, revision), 
	FOREIGN KEY(annotator, item) REFERENCES slots (annotator, item), 
	CONSTRAINT a_key_is_used_once UNIQUE (annotator, "key")
)
 WITHOUT ROWID

;
INSERT INTO "submissions" VALUES('ann','c000',1,'r0005-1','pap@aa506a3eca',1000000.0,1000000.0,NULL);
INSERT INTO "submissions" VALUES('ann','c001',1,'r0001-1','pap@aa506a3eca',1000000.0,1000000.0,NULL);
INSERT INTO "submissions" VALUES('ann','t000',1,'r0004-1','pap@aa506a3eca',1000000.0,1000000.0,NULL);
INSERT INTO "submissions" VALUES('ann','t001',1,'r0002-1','pap@aa506a3eca',1000000.0,1000000.0,NULL);
INSERT INTO "submissions" VALUES('ann','t002',1,'r0003-1','pap@aa506a3eca',1000000.0,1000000.0,NULL);
INSERT INTO "submissions" VALUES('ann','t003',1,'r0007-1','pap@aa506a3eca',1000000.0,1000000.0,NULL);
INSERT INTO "submissions" VALUES('ann','t004',1,'r0008-1','pap@aa506a3eca',1000000.0,1000000.0,NULL);
INSERT INTO "submissions" VALUES('ann','t005',1,'r0006-1','pap@aa506a3eca',1000000.0,1000000.0,NULL);
INSERT INTO "submissions" VALUES('bob','c000',1,'r0016-1','pap@aa506a3eca',1000010.0,1000010.0,NULL);
INSERT INTO "submissions" VALUES('bob','c001',1,'r0011-1','pap@aa506a3eca',1000010.0,1000010.0,NULL);
INSERT INTO "submissions" VALUES('bob','t000',1,'r0010-1','pap@aa506a3eca',1000010.0,1000010.0,NULL);
INSERT INTO "submissions" VALUES('bob','t001',1,'r0012-1','pap@aa506a3eca',1000010.0,1000010.0,NULL);
INSERT INTO "submissions" VALUES('bob','t002',1,'r0013-1','pap@aa506a3eca',1000010.0,1000010.0,NULL);
INSERT INTO "submissions" VALUES('bob','t003',1,'r0014-1','pap@aa506a3eca',1000010.0,1000010.0,NULL);
INSERT INTO "submissions" VALUES('bob','t004',1,'r0015-1','pap@aa506a3eca',1000010.0,1000010.0,NULL);
INSERT INTO "submissions" VALUES('bob','t005',1,'r0009-1','pap@aa506a3eca',1000010.0,1000010.0,NULL);
INSERT INTO "submissions" VALUES('cyd','t000',1,'k1','pap@aa506a3eca',1000020.0,1000021.0,'note 1');
INSERT INTO "submissions" VALUES('cyd','t000',2,'k2','pap@aa506a3eca',1000020.0,1000022.0,'note 2');
INSERT INTO "submissions" VALUES('dan','c000',1,'r0022-1','pap@aa506a3eca',1000200.0,1000200.0,NULL);
INSERT INTO "submissions" VALUES('dan','c001',1,'r0026-1','pap@aa506a3eca',1000200.0,1000200.0,NULL);
INSERT INTO "submissions" VALUES('dan','t000',1,'r0027-1','pap@aa506a3eca',1000200.0,1000200.0,NULL);
INSERT INTO "submissions" VALUES('dan','t001',1,'r0028-1','pap@aa506a3eca',1000200.0,1000200.0,NULL);
INSERT INTO "submissions" VALUES('dan','t002',1,'r0023-1','pap@aa506a3eca',1000200.0,1000200.0,NULL);
INSERT INTO "submissions" VALUES('dan','t003',1,'r0021-1','pap@aa506a3eca',1000200.0,1000200.0,NULL);
INSERT INTO "submissions" VALUES('dan','t004',1,'r0025-1','pap@aa506a3eca',1000200.0,1000200.0,NULL);
INSERT INTO "submissions" VALUES('dan','t005',1,'r0024-1','pap@aa506a3eca',1000200.0,1000200.0,NULL);
INSERT INTO "submissions" VALUES('gus','t003',1,'r0029-1','pap@aa506a3eca',1000241.0,1000241.0,NULL);
CREATE INDEX excluded ON exclusions (annotator) WHERE undone IS NULL;
CREATE INDEX leases ON slots (expires) WHERE state = 'reserved';
CREATE INDEX slots_of_an_item ON slots (item);
CREATE INDEX surplus ON slots (item) WHERE cause = 'surplus';
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
    OR (OLD.state = 'void' AND NEW.state = 'reserved' AND OLD.revision = 0)
    OR (OLD.state = 'void' AND NEW.state IN ('answered', 'accepted') AND OLD.was = NEW.state)
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
