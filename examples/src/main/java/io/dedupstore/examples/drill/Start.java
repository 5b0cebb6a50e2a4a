package io.dedupstore.examples.drill;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * What a consumer process is told first, by its standard input: every user of the machine can see arguments.
 *
 * @param url the database
 * @param threads how many deliveries it takes at once
 * @param spoiling a statement that fails and breaks its transaction
 * @param maker the class that makes the store
 */
record Start(String url, int threads, String spoiling, String maker) {
    void writeTo(DataOutputStream out) throws IOException {
        out.writeUTF(url);
        out.writeInt(threads);
        out.writeUTF(spoiling);
        out.writeUTF(maker);
        out.flush();
    }

    static Start readFrom(DataInputStream in) throws IOException {
        return new Start(in.readUTF(), in.readInt(), in.readUTF(), in.readUTF());
    }

    @Override
    public String toString() {
        return "Start[maker=" + maker + "]"; // the URL may hold a password
    }
}
