-- The claim table of dedup-store on Oracle, 12.2 or newer. As it is usable by Flyway, Liquibase and SQL*Plus.
-- key_digest is the SHA-256 of tenant, consumer and event_id with a zero byte between: no session setting, character set
-- or length semantics has a say in which events are equal, and new claims do not crowd in one block of the index.
-- The three texts are there for people. They are as long as a database in the character set UTF8 needs them.
-- claimed_at is UTC. SEGMENT CREATION IMMEDIATE: without it the first serializable claims can fail with ORA-08177.
CREATE TABLE dedup_claim (
    key_digest   RAW(32)            NOT NULL,
    tenant       VARCHAR2(128 CHAR) NOT NULL,
    consumer     VARCHAR2(256 CHAR) NOT NULL,
    event_id     VARCHAR2(510 CHAR) NOT NULL,
    hash_scheme  VARCHAR2(32 CHAR)  NOT NULL,
    payload_hash RAW(64)            NOT NULL,
    claim_id     RAW(16)            NOT NULL,
    claimed_at   TIMESTAMP(6)       DEFAULT SYS_EXTRACT_UTC(SYSTIMESTAMP) NOT NULL,
    CONSTRAINT dedup_claim_pk PRIMARY KEY (key_digest)
) SEGMENT CREATION IMMEDIATE;
CREATE INDEX dedup_claim_claimed_at ON dedup_claim (claimed_at);
