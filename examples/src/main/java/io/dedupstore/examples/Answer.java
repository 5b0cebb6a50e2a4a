package io.dedupstore.examples;

import io.dedupstore.Disposition;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What a consumer process says about a delivery.
 *
 * @param ending what came of it; null: nothing yet, the consumer stands at the chosen point and waits
 * @param disposition what the broker is told, or null for nothing
 */
record Answer(@Nullable Ending ending, @Nullable Disposition disposition) {
    static final Answer AT_THE_POINT = new Answer(null, null);
    static final Answer KILLED = new Answer(Ending.KILLED, null);

    boolean atThePoint() {
        return ending == null;
    }

    void writeTo(DataOutputStream out) throws IOException {
        out.writeUTF(ending == null ? "" : ending.name());
        out.writeUTF(disposition == null ? "" : disposition.name());
        out.flush();
    }

    static Answer readFrom(DataInputStream in) throws IOException {
        String ending = in.readUTF();
        String disposition = in.readUTF();
        return new Answer(
                ending.isEmpty() ? null : Ending.valueOf(ending),
                disposition.isEmpty() ? null : Disposition.valueOf(disposition));
    }
}
