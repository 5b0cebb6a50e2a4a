package io.dedupstore.spi;

import io.dedupstore.EventKey;
import io.dedupstore.PayloadHash;
import java.util.UUID;

/**
 * A claim that an attempt wants to store. Its time is the database's.
 *
 * @param key whose claim
 * @param hash the payload's hash
 * @param claimId random, new for every attempt
 */
public record NewClaim(EventKey key, PayloadHash hash, UUID claimId) {}
