/** Tests of a store that need the server or the network to fail, for every database: a store's test extends them. */
@NullMarked
package io.dedupstore.servers.rules;

import org.jspecify.annotations.NullMarked;
