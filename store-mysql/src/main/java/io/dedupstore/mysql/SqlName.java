package io.dedupstore.mysql;

import io.dedupstore.spi.TableName;

/** A table's name as it stands in SQL: quoted, since a reserved word passes {@link TableName}'s check too. */
final class SqlName {
    private final String quoted;

    SqlName(TableName table) {
        this.quoted = (table.schema() == null ? "" : '`' + table.schema() + "`.") + '`' + table.name() + '`';
    }

    /** The schema's script, for this table. */
    String in(String script) {
        return script.replace(TableName.DEFAULT + " (", quoted + " (");
    }

    @Override
    public String toString() {
        return quoted;
    }
}
