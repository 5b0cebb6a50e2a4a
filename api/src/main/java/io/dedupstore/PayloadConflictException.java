package io.dedupstore;

/**
 * The key was claimed before with another payload: two different events share an id, or a payload was altered. The work
 * did not run. Never acknowledge it as a duplicate; a person has to look at it.
 */
public final class PayloadConflictException extends DedupException {
    private static final long serialVersionUID = 1L;

    private final transient Claim stored;
    private final transient PayloadHash received;

    /**
     * Made by the engine.
     *
     * @param stored the claim that was found
     * @param received the hash of the payload that came now, under the stored claim's scheme
     */
    public PayloadConflictException(Claim stored, PayloadHash received) {
        super(
                "Event " + stored.key() + " was applied at " + stored.claimedAt() + " with payload hash "
                        + stored.hash() + "; it now comes with " + received
                        + ". Do not acknowledge it as a duplicate: quarantine it and compare the two payloads.",
                null);
        this.stored = stored;
        this.received = received;
    }

    /** {@return the claim that was found} */
    public Claim stored() {
        return stored;
    }

    /** {@return the hash of the payload that came now} */
    public PayloadHash received() {
        return received;
    }

    @Override
    public Disposition disposition() {
        return Disposition.QUARANTINE;
    }
}
