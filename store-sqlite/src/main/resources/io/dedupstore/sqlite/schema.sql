-- The claim table of dedup-store on SQLite. As it is usable by Flyway and Liquibase.
-- WITHOUT ROWID: the key is the table, one b-tree instead of two. STRICT: no value changes its type.
-- claimed_at counts milliseconds since 1970-01-01 UTC by the clock of the machine that writes.
CREATE TABLE IF NOT EXISTS dedup_claim (
    tenant       TEXT    NOT NULL COLLATE BINARY,
    consumer     TEXT    NOT NULL COLLATE BINARY,
    event_id     TEXT    NOT NULL COLLATE BINARY,
    hash_scheme  TEXT    NOT NULL,
    payload_hash BLOB    NOT NULL,
    claim_id     BLOB    NOT NULL,
    claimed_at   INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
    PRIMARY KEY (tenant, consumer, event_id)
) WITHOUT ROWID, STRICT;
