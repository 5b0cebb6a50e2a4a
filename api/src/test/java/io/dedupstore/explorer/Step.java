package io.dedupstore.explorer;

/** Where a consumer touches the database: between two of these no other consumer can tell what it does. */
enum Step {
    FIND,
    CLAIM,
    WORK,
    COMMIT,
    ROLLBACK
}
