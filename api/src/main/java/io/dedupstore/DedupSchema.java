package io.dedupstore;

/** The store's table in its database. Each call uses a connection of its own. */
public interface DedupSchema {
    /**
     * Creates what is missing and validates the result. Does nothing if all is there; several processes may call it at
     * once. Needs the right to create tables; without it, hand {@link #ddl()} to whoever has.
     *
     * @throws StoreConfigurationException if it cannot be created, or a table of that name is not fit
     * @throws TransientStoreException if the database cannot be reached
     */
    void create();

    /**
     * Checks that the table keeps the contract: its key, collations, types and lengths (rule S2). A store does this by
     * itself before its first claim.
     *
     * @throws StoreConfigurationException if it does not, saying how to mend it
     * @throws TransientStoreException if the database cannot be reached
     */
    void validate();

    /** {@return the statements that {@link #create()} runs, ready for Flyway or Liquibase} */
    String ddl();
}
