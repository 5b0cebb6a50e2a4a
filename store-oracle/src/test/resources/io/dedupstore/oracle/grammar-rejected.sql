INSERT INTO dedup_claim (tenant_id event_id) VALUES (:1, :2)
----
INSERT INTO dedup_claim (tenant_id, event_id) VALUES (:1, :2) ON CONFLICT DO NOTHING
----
INSERT IGNORE INTO dedup_claim (tenant_id, event_id) VALUES (:1, :2)
----
INSERT INTO dedup_claim (tenant_id, event_id) VALUES (:1, :2) ON DUPLICATE KEY UPDATE event_id = event_id
----
SELECT payload_hash FROM dedup_claim LIMIT 10
----
SELECT payload_hash FROM dedup_claim WHERE event_id = :1 FOR UPDATE WAIT
----
DELETE FROM dedup_claim WHERE claimed_at < :1 LIMIT 10
----
CREATE TABLE dedup_claim (event_id VARCHAR2(255 CHARS) NOT NULL)
----
CREATE TABLE dedup_claim (a TIMESTAMP WITH TIMEZONE)
----
MERGE INTO dedup_claim d USING (SELECT :1 AS e FROM dual) s ON d.e = s.e WHEN NOT MATCHED THEN INSERT (e) VALUES (s.e)
----
MERGE INTO dedup_claim d USING (SELECT :1 AS e FROM dual) s ON (d.e = s.e) WHEN NOT MATCHED INSERT (e) VALUES (s.e)
----
SELECT * FORM dual
----
SELECT 1 FROM dual FOR UPDATE SKIP LOCKD
----
DELETE FROM x WHERE ROWNUM <=
----
SELECT a AS x FROM t AS u
----
BEGIN INSERT INTO x VALUES (1) END;
----
SELECT 1 FROM dual WHERE a = b = c
----
CREATE UNIQUE INDEX i ON t (a) REVERS
----
CREATE INDEX IF NOT EXISTS i ON t (a)
----
CREATE TABLE IF NOT EXISTS x (a NUMBER)
----
INSERT INTO x (a) VALUES (1), (2), (3)
----
DELETE FROM x FETCH FIRST 10 ROWS ONLY
