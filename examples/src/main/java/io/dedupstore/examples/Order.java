package io.dedupstore.examples;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * What a consumer process is sent: a delivery as a broker hands it out, and where to stop with it.
 *
 * @param event the event's id
 * @param account whom to credit
 * @param amount how much, in minor units
 * @param then where to stop
 * @param mode with or without the claim
 * @param redelivered the broker's mark on a repeated delivery
 */
record Order(String event, String account, long amount, Then then, Mode mode, boolean redelivered) {
    void writeTo(DataOutputStream out) throws IOException {
        out.writeUTF(event);
        out.writeUTF(account);
        out.writeLong(amount);
        out.writeUTF(then.name());
        out.writeUTF(mode.name());
        out.writeBoolean(redelivered);
        out.flush();
    }

    static Order readFrom(DataInputStream in) throws IOException {
        return new Order(
                in.readUTF(),
                in.readUTF(),
                in.readLong(),
                Then.valueOf(in.readUTF()),
                Mode.valueOf(in.readUTF()),
                in.readBoolean());
    }

    /** {@return no payload} */
    @Override
    public String toString() {
        return "Order[" + mode + ", " + then + "]";
    }
}
