package io.dedupstore.oracle;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Exclusive locks that are held to the end of a transaction: those of {@code DBMS_LOCK}, with its answers (fact O8), and
 * those of keys that are claimed and not yet decided, for which H2 would wait in a busy loop.
 */
final class EmulatedLocks {
    static final int GRANTED = 0;
    static final int TIMED_OUT = 1;
    static final int DEADLOCK = 2;
    static final int ALREADY_OWNED = 4;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();
    private final Map<Object, Object> owners = new HashMap<>();
    private final Map<Object, Object> waiting = new HashMap<>();

    int request(Object session, Object id, int seconds) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (owners.get(id) == session) {
                return ALREADY_OWNED;
            }
            long left = TimeUnit.SECONDS.toNanos(seconds);
            while (owners.containsKey(id)) {
                waiting.put(session, id);
                if (closesACircle(session, id)) {
                    return DEADLOCK;
                }
                if (left <= 0) {
                    return TIMED_OUT;
                }
                left = released.awaitNanos(left);
            }
            owners.put(id, session);
            return GRANTED;
        } finally {
            waiting.remove(session);
            lock.unlock();
        }
    }

    private boolean closesACircle(Object session, Object id) {
        Object owner = owners.get(id);
        for (int i = 0; owner != null && i <= waiting.size(); i++) {
            if (owner == session) {
                return true;
            }
            Object next = waiting.get(owner);
            owner = next == null ? null : owners.get(next);
        }
        return false;
    }

    void release(Object session, Object id) {
        lock.lock();
        try {
            if (owners.remove(id, session)) {
                released.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    void releaseAll(Object session) {
        lock.lock();
        try {
            if (owners.values().removeIf(owner -> owner == session)) {
                released.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    int waiting() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }
}
