package io.dedupstore.examples.drill;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * One delivery, as it is handed to a consumer process.
 *
 * @param id the delivery's own number
 * @param transfer the message
 * @param redelivered whether the source knows that it has delivered this message before
 * @param trouble what goes wrong
 */
record Handed(long id, Transfer transfer, boolean redelivered, Trouble trouble) {
    void writeTo(DataOutputStream out) throws IOException {
        out.writeLong(id);
        out.writeLong(transfer.number());
        out.writeInt(transfer.from());
        out.writeInt(transfer.to());
        out.writeLong(transfer.amount());
        out.writeBoolean(redelivered);
        out.writeUTF(trouble.name());
        out.flush();
    }

    static Handed readFrom(DataInputStream in) throws IOException {
        long id = in.readLong();
        Transfer transfer = new Transfer(in.readLong(), in.readInt(), in.readInt(), in.readLong());
        return new Handed(id, transfer, in.readBoolean(), Trouble.valueOf(in.readUTF()));
    }
}
