CREATE TABLE dedup_claim (tenant_id VARCHAR2(128 CHAR) NOT NULL, event_id VARCHAR2(255 CHAR) NOT NULL, payload_hash RAW(32) NOT NULL, claimed_at TIMESTAMP(6) WITH TIME ZONE DEFAULT SYSTIMESTAMP NOT NULL, CONSTRAINT dedup_claim_pk PRIMARY KEY (tenant_id, event_id))
----
CREATE TABLE dedup_claim (tenant_id VARCHAR2(128 CHAR) NOT NULL, event_id VARCHAR2(255 CHAR) NOT NULL, payload_hash RAW(32) NOT NULL, claimed_at TIMESTAMP(6) WITH TIME ZONE DEFAULT SYSTIMESTAMP NOT NULL, CONSTRAINT dedup_claim_pk PRIMARY KEY (tenant_id, event_id)) ORGANIZATION INDEX
----
CREATE TABLE dedup_claim (event_id VARCHAR2(255 CHAR) NOT NULL, payload_hash RAW(32) NOT NULL, claimed_at TIMESTAMP(6) NOT NULL) SEGMENT CREATION IMMEDIATE
----
CREATE TABLE dedup_claim (event_id VARCHAR2(255 CHAR) NOT NULL, payload_hash RAW(32) NOT NULL, claimed_at TIMESTAMP(6) NOT NULL) SEGMENT CREATION IMMEDIATE PARTITION BY RANGE (claimed_at) INTERVAL (NUMTODSINTERVAL(1,'DAY')) (PARTITION p0 VALUES LESS THAN (TIMESTAMP '2025-01-01 00:00:00'))
----
CREATE UNIQUE INDEX dedup_claim_pk ON dedup_claim (tenant_id, event_id) REVERSE
----
CREATE UNIQUE INDEX dedup_claim_pk ON dedup_claim (tenant_id, event_id) GLOBAL PARTITION BY HASH (tenant_id, event_id) PARTITIONS 16
----
CREATE INDEX dedup_claim_exp ON dedup_claim (claimed_at)
----
ALTER TABLE dedup_claim ADD CONSTRAINT dedup_claim_pk PRIMARY KEY (tenant_id, event_id) USING INDEX dedup_claim_pk
----
INSERT INTO dedup_claim (tenant_id, event_id, payload_hash, claimed_at) VALUES (?, ?, ?, ?)
----
INSERT INTO dedup_claim (tenant_id, event_id, payload_hash, claimed_at) VALUES (:1, :2, :3, SYSTIMESTAMP)
----
INSERT /*+ IGNORE_ROW_ON_DUPKEY_INDEX(dedup_claim (tenant_id, event_id)) */ INTO dedup_claim (tenant_id, event_id, payload_hash, claimed_at) VALUES (:1, :2, :3, :4)
----
INSERT /*+ IGNORE_ROW_ON_DUPKEY_INDEX(dedup_claim, dedup_claim_pk) */ INTO dedup_claim (tenant_id, event_id, payload_hash, claimed_at) SELECT :1, :2, :3, :4 FROM dual
----
INSERT INTO dedup_claim c (c.tenant_id, c.event_id) VALUES (:1, :2) RETURNING payload_hash INTO :3
----
INSERT INTO dedup_claim (tenant_id, event_id, payload_hash, claimed_at) VALUES (:1, :2, :3, :4) LOG ERRORS INTO err$_dedup ('x') REJECT LIMIT UNLIMITED
----
INSERT ALL INTO dedup_claim (tenant_id, event_id) VALUES (:1, :2) INTO dedup_claim (tenant_id, event_id) VALUES (:3, :4) SELECT * FROM dual
----
MERGE INTO dedup_claim d USING (SELECT :1 AS tenant_id, :2 AS event_id, :3 AS payload_hash, :4 AS claimed_at FROM dual) s ON (d.tenant_id = s.tenant_id AND d.event_id = s.event_id) WHEN NOT MATCHED THEN INSERT (tenant_id, event_id, payload_hash, claimed_at) VALUES (s.tenant_id, s.event_id, s.payload_hash, s.claimed_at)
----
SELECT payload_hash, claimed_at FROM dedup_claim WHERE tenant_id = :1 AND event_id = :2
----
SELECT payload_hash FROM dedup_claim WHERE tenant_id = :1 AND event_id = :2 FOR UPDATE WAIT 1
----
SELECT payload_hash FROM dedup_claim WHERE tenant_id = :1 AND event_id = :2 FOR UPDATE NOWAIT
----
SELECT payload_hash FROM dedup_claim WHERE tenant_id = :1 AND event_id = :2 FOR UPDATE SKIP LOCKED
----
SELECT tenant_id, event_id, payload_hash FROM dedup_claim WHERE (tenant_id, event_id) IN ((:1, :2), (:3, :4))
----
DELETE FROM dedup_claim WHERE claimed_at < :1 AND ROWNUM <= :2
----
DELETE FROM dedup_claim WHERE rowid IN (SELECT rowid FROM dedup_claim WHERE claimed_at < :1 ORDER BY claimed_at FETCH FIRST 1000 ROWS ONLY)
----
DELETE FROM dedup_claim WHERE rowid IN (SELECT rid FROM (SELECT rowid AS rid FROM dedup_claim WHERE claimed_at < :1 ORDER BY claimed_at) WHERE ROWNUM <= :2)
----
SELECT rowid FROM dedup_claim WHERE claimed_at < :1 AND ROWNUM <= :2 FOR UPDATE SKIP LOCKED
----
LOCK TABLE dedup_claim IN ROW EXCLUSIVE MODE NOWAIT
----
ALTER TABLE dedup_claim SET INTERVAL (NUMTODSINTERVAL(1,'DAY'))
----
ALTER TABLE dedup_claim DROP PARTITION FOR (TIMESTAMP '2025-01-01 00:00:00') UPDATE GLOBAL INDEXES
----
ALTER INDEX dedup_claim_pk COALESCE
----
ALTER TABLE dedup_claim SHRINK SPACE CASCADE
----
ALTER SESSION SET ERROR_MESSAGE_DETAILS=OFF
----
SELECT 1 FROM dual
----
SAVEPOINT s1
----
ROLLBACK TO SAVEPOINT s1
----
DECLARE
  TYPE t_s IS TABLE OF VARCHAR2(255 CHAR) INDEX BY PLS_INTEGER;
  k t_s;
BEGIN
  FORALL i IN 1 .. k.COUNT SAVE EXCEPTIONS
    INSERT INTO dedup_claim (tenant_id, event_id) VALUES ('x', k(i));
EXCEPTION WHEN OTHERS THEN
  IF SQLCODE != -24381 THEN RAISE; END IF;
  FOR j IN 1 .. SQL%BULK_EXCEPTIONS.COUNT LOOP
    :1 := SQL%BULK_EXCEPTIONS(j).ERROR_INDEX;
  END LOOP;
END;
----
DECLARE
  l_hash RAW(32);
BEGIN
  INSERT INTO dedup_claim (tenant_id, event_id, payload_hash, claimed_at) VALUES (:1, :2, :3, SYSTIMESTAMP);
  :4 := 1;
EXCEPTION
  WHEN DUP_VAL_ON_INDEX THEN
    :4 := 0;
    BEGIN
      SELECT payload_hash INTO l_hash FROM dedup_claim WHERE tenant_id = :5 AND event_id = :6;
      :7 := l_hash;
    EXCEPTION WHEN NO_DATA_FOUND THEN
      :4 := 2;
    END;
END;
----
BEGIN
  INSERT /*+ IGNORE_ROW_ON_DUPKEY_INDEX(dedup_claim (tenant_id, event_id)) */ INTO dedup_claim (tenant_id, event_id) VALUES (:1, :2);
  :3 := SQL%ROWCOUNT;
END;
----
BEGIN EXECUTE IMMEDIATE 'CREATE TABLE x (a NUMBER)'; EXCEPTION WHEN OTHERS THEN IF SQLCODE != -955 THEN RAISE; END IF; END;
