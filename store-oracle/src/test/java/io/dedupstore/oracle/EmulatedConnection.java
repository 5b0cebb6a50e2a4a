package io.dedupstore.oracle;

import java.sql.Connection;

/** The emulated driver's own class, which no wrapper implements. */
interface EmulatedConnection extends Connection {}
