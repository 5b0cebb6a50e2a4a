package io.dedupstore.examples.drill;

import io.dedupstore.Disposition;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * A consumer's answer.
 *
 * @param id the delivery's number
 * @param disposition what the source is to do
 * @param saw what came of it
 * @param retries why the store tried again, each reason followed by a comma
 */
record Reply(long id, Disposition disposition, Saw saw, String retries) {
    void writeTo(DataOutputStream out) throws IOException {
        out.writeLong(id);
        out.writeUTF(disposition.name());
        out.writeUTF(saw.name());
        out.writeUTF(retries);
        out.flush();
    }

    static Reply readFrom(DataInputStream in) throws IOException {
        return new Reply(in.readLong(), Disposition.valueOf(in.readUTF()), Saw.valueOf(in.readUTF()), in.readUTF());
    }
}
