package io.dedupstore;

/**
 * The stored claim was hashed under a scheme for which the event carries no hash, so that nobody can say whether it is a
 * duplicate or a conflict (rule C6). Give the event its hash under the stored scheme too: {@link Event#alsoHashedAs}.
 */
public final class HashSchemeException extends DedupException {
    private static final long serialVersionUID = 1L;

    private final transient Claim stored;

    /**
     * Made by the engine.
     *
     * @param stored the claim that was found
     * @param received the event's hash
     */
    public HashSchemeException(Claim stored, PayloadHash received) {
        super(
                "Event " + stored.key() + " was claimed with a hash of the scheme "
                        + stored.hash().scheme()
                        + " and now comes with " + received.scheme()
                        + " only; they cannot be compared. Add the hash under the stored scheme with"
                        + " Event.alsoHashedAs.",
                null);
        this.stored = stored;
    }

    /** {@return the claim that was found} */
    public Claim stored() {
        return stored;
    }

    @Override
    public Disposition disposition() {
        return Disposition.QUARANTINE;
    }
}
