-- The claim table of dedup-store on MySQL and MariaDB. As it is usable by Flyway and Liquibase.
-- Bytes, not text: every collation takes some different ids for one (case, accents, trailing spaces, NUL), VARBINARY none.
-- A key part has room for UTF-8 of four bytes per code point.
-- The key is the primary key, not a unique key beside a surrogate: a duplicate would then lock the gaps around it, and
-- claims of other events would wait.
-- The time is UTC, whatever the session's time zone. The index on it is for the purge.
CREATE TABLE IF NOT EXISTS dedup_claim (
    tenant       VARBINARY(256)  NOT NULL,
    consumer     VARBINARY(512)  NOT NULL,
    event_id     VARBINARY(1020) NOT NULL,
    hash_scheme  VARCHAR(32)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    payload_hash VARBINARY(64)   NOT NULL,
    claim_id     BINARY(16)      NOT NULL,
    claimed_at   DATETIME(6)     NOT NULL,
    PRIMARY KEY (tenant, consumer, event_id),
    INDEX (claimed_at)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC;
