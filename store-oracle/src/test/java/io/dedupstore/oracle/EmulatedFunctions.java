package io.dedupstore.oracle;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** Oracle's functions that H2 lacks, for its CREATE ALIAS. */
public final class EmulatedFunctions {
    private EmulatedFunctions() {}

    public static LocalDateTime sysExtractUtc(OffsetDateTime time) {
        return time.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime();
    }

    public static String sysContext(Connection connection, String namespace, String parameter) throws SQLException {
        if (!namespace.equals("USERENV") || !parameter.equals("CURRENT_SCHEMA")) {
            throw new SQLException("not emulated: " + namespace + ' ' + parameter);
        }
        return connection.getSchema();
    }
}
