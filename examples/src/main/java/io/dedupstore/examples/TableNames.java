package io.dedupstore.examples;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Which tables there are. */
public final class TableNames {
    private TableNames() {}

    /**
     * Finds tables and views, whatever the database makes of the case of names.
     *
     * @param connection to the database
     * @param prefix how the names begin, in lower case
     * @return their names
     * @throws SQLException if the catalogue cannot be read
     */
    public static List<String> beginningWith(Connection connection, String prefix) throws SQLException {
        List<String> found = new ArrayList<>();
        try (ResultSet tables = connection
                .getMetaData()
                .getTables(connection.getCatalog(), connection.getSchema(), "%", new String[] {"TABLE", "VIEW"})) {
            while (tables.next()) {
                String name = tables.getString("TABLE_NAME");
                if (name.toLowerCase(Locale.ROOT).startsWith(prefix)) {
                    found.add(name);
                }
            }
        }
        return found;
    }
}
