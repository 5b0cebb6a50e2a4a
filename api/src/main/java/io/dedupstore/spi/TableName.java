package io.dedupstore.spi;

import io.dedupstore.StoreConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * The name of a claim table: the only thing that is ever spliced into SQL, and therefore narrow (rule S3).
 *
 * @param schema the schema, or null for the connection's own
 * @param name the table
 */
public record TableName(@Nullable String schema, String name) {
    /** The table's name if none is set. */
    public static final String DEFAULT = "dedup_claim";

    private static final int MAX = 63;

    /**
     * Checks both parts.
     *
     * @param schema the schema, or null for the connection's own
     * @param name the table
     * @throws StoreConfigurationException if a part is not an identifier
     */
    public TableName {
        if (schema != null) {
            requireIdentifier(schema);
        }
        requireIdentifier(name);
    }

    /**
     * Reads {@code table} or {@code schema.table}.
     *
     * @param text the name
     * @return the checked name
     * @throws StoreConfigurationException if it is neither
     */
    public static TableName of(String text) {
        int dot = text.indexOf('.');
        return dot < 0 ? new TableName(null, text) : new TableName(text.substring(0, dot), text.substring(dot + 1));
    }

    private static void requireIdentifier(String part) {
        boolean fits = !part.isEmpty() && part.length() <= MAX && !digit(part.charAt(0));
        if (!fits || !part.chars().allMatch(c -> digit(c) || letter(c))) {
            throw new StoreConfigurationException("A table's or schema's name has 1 to " + MAX
                    + " letters a-z, digits or underscores and does not begin with a digit; choose such a name, with at"
                    + " most one dot between schema and table.");
        }
    }

    private static boolean letter(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    }

    private static boolean digit(int c) {
        return c >= '0' && c <= '9';
    }

    /** {@return the name as it stands in SQL, with the schema if there is one} */
    @Override
    public String toString() {
        return schema == null ? name : schema + '.' + name;
    }
}
