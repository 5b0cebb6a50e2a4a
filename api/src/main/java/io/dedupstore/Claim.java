package io.dedupstore;

import java.time.Instant;
import java.util.Objects;
import java.util.UUID;

/**
 * A claim as it is stored.
 *
 * @param key whose claim it is
 * @param hash the payload's hash as it was claimed
 * @param claimId the random id of the attempt that stored it
 * @param claimedAt when it was stored, by the database's clock
 */
public record Claim(EventKey key, PayloadHash hash, UUID claimId, Instant claimedAt) {
    /**
     * Refuses nulls.
     *
     * @param key whose claim it is
     * @param hash the payload's hash as it was claimed
     * @param claimId the random id of the attempt that stored it
     * @param claimedAt when it was stored
     */
    public Claim {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(hash, "hash");
        Objects.requireNonNull(claimId, "claimId");
        Objects.requireNonNull(claimedAt, "claimedAt");
    }
}
