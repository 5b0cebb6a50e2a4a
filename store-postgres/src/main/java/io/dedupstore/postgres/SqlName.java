package io.dedupstore.postgres;

import io.dedupstore.spi.TableName;
import java.util.Locale;

/**
 * A table's name as it stands in SQL: quoted, since a reserved word passes {@link TableName}'s check too, and in lower case,
 * which is what an unquoted name means to PostgreSQL.
 */
final class SqlName {
    private static final String TIME_INDEX = "_claimed_at";
    private static final int LONGEST = 63;

    private final String schema;
    private final String name;

    SqlName(TableName table) {
        this.schema = table.schema() == null ? "" : quoted(table.schema()) + '.';
        this.name = table.name();
    }

    String table() {
        return schema + quoted(name);
    }

    /** The schema's script, for this table. */
    String in(String script) {
        String index = name.substring(0, Math.min(name.length(), LONGEST - TIME_INDEX.length())) + TIME_INDEX;
        String template = TableName.DEFAULT + TIME_INDEX;
        return script.replace('\'' + template + '\'', '\'' + schema + quoted(index) + '\'')
                .replace("INDEX " + template, "INDEX " + quoted(index))
                .replace(TableName.DEFAULT + ' ', table() + ' ');
    }

    private static String quoted(String part) {
        return '"' + part.toLowerCase(Locale.ROOT) + '"';
    }
}
