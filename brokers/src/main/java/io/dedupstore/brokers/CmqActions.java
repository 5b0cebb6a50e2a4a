package io.dedupstore.brokers;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** The actions of the queue API, on all queues of the one account. Safe for several threads. */
final class CmqActions {
    private static final String QUEUE = "queueName";
    private static final String HANDLE = "receiptHandle";
    private static final String POLLING = "pollingWaitSeconds";
    private static final String VISIBILITY = "visibilityTimeout";
    private static final String FILE_ENDING = ".json";
    private static final int MOST_POLLING_S = 30;
    private static final int MOST_VISIBILITY_S = 43_200;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Map<String, CmqQueue> queues = new ConcurrentHashMap<>();
    private final AtomicLong requests = new AtomicLong();
    private final Path folder;

    private CmqActions(Path folder) {
        this.folder = folder;
    }

    /** With the queues that an earlier process has left in the folder. */
    static CmqActions load(Path folder) throws IOException {
        CmqActions actions = new CmqActions(folder);
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file :
                    files.filter(f -> f.toString().endsWith(FILE_ENDING)).toList()) {
                CmqQueue queue = CmqQueue.load(file);
                actions.queues.put(queue.name(), queue);
            }
        }
        return actions;
    }

    ObjectNode perform(CmqRequest request) throws CmqError, IOException {
        String action = request.text("Action");
        if (action.equals("CreateQueue")) {
            return create(request);
        }
        CmqQueue queue = queue(request);
        return switch (action) {
            case "DeleteQueue" -> drop(queue);
            case "GetQueueAttributes" -> attributes(queue);
            case "SendMessage" -> send(queue, request);
            case "BatchSendMessage" -> sendAll(queue, request);
            case "ReceiveMessage" -> receiveOne(queue, request);
            case "BatchReceiveMessage" -> receiveAll(queue, request);
            case "DeleteMessage" -> delete(queue, request);
            case "BatchDeleteMessage" -> deleteAll(queue, request.batch(HANDLE));
            default -> throw new CmqError(CmqError.BAD_REQUEST, "(10280)action is not existed");
        };
    }

    ObjectNode answer(CmqError error) {
        return answer(error.code(), String.valueOf(error.getMessage()));
    }

    private ObjectNode answer(int code, String message) {
        return JSON.createObjectNode()
                .put("code", code)
                .put("message", message)
                .put("requestId", Long.toString(requests.incrementAndGet()));
    }

    private ObjectNode success() {
        return answer(0, "");
    }

    private CmqQueue queue(CmqRequest request) throws CmqError {
        CmqQueue queue = queues.get(name(request));
        if (queue == null) {
            throw new CmqError(CmqError.NO_QUEUE, "(10100)queue is not existed, or deleted");
        }
        return queue;
    }

    private static String name(CmqRequest request) throws CmqError {
        String name = request.text(QUEUE).toLowerCase(Locale.ROOT);
        boolean valid = name.length() <= 64
                && name.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')
                && !name.isEmpty()
                && name.charAt(0) >= 'a';
        if (!valid) {
            throw new CmqError(CmqError.BAD_REQUEST, "(10020)queue name format error");
        }
        return name;
    }

    /** What the service answers if the queue is there is not in the documentation that we know; here: a bad request. */
    private ObjectNode create(CmqRequest request) throws CmqError, IOException {
        String name = name(request);
        CmqQueue queue = CmqQueue.create(
                folder.resolve(name + FILE_ENDING),
                name,
                request.number(VISIBILITY, 1, MOST_VISIBILITY_S, 30),
                request.number(POLLING, 0, MOST_POLLING_S, 0));
        if (queues.putIfAbsent(name, queue) != null) {
            throw new CmqError(CmqError.BAD_REQUEST, "(10110)request parameters error: the queue is there");
        }
        queue.save();
        return success().put("queueId", "queue-" + name);
    }

    private ObjectNode drop(CmqQueue queue) throws IOException {
        queues.remove(queue.name());
        queue.delete();
        return success();
    }

    private ObjectNode attributes(CmqQueue queue) {
        CmqQueue.Counts counts = queue.counts();
        ObjectNode answer = success()
                .put(VISIBILITY, queue.visibilityTimeout())
                .put(POLLING, queue.pollingWait())
                .put("activeMsgNum", counts.active())
                .put("inactiveMsgNum", counts.inactive())
                .put("delayMsgNum", counts.delayed());
        // what the SDK insists on
        for (String other : List.of(
                "maxMsgHeapNum",
                "maxMsgSize",
                "msgRetentionSeconds",
                "createTime",
                "lastModifyTime",
                "rewindMsgNum",
                "minMsgTime",
                "rewindSeconds")) {
            answer.put(other, 0);
        }
        return answer;
    }

    private static int delay(CmqRequest request) throws CmqError {
        return request.number("delaySeconds", 0, 3_600, 0);
    }

    private ObjectNode send(CmqQueue queue, CmqRequest request) throws CmqError, IOException {
        String id = queue.send(request.text("msgBody"), delay(request));
        return success().put("msgId", id);
    }

    private ObjectNode sendAll(CmqQueue queue, CmqRequest request) throws CmqError, IOException {
        int delay = delay(request);
        List<String> bodies = request.batch("msgBody");
        ObjectNode answer = success();
        ArrayNode sent = answer.putArray("msgList");
        for (String body : bodies) {
            sent.addObject().put("msgId", queue.send(body, delay));
        }
        return answer;
    }

    private static List<CmqQueue.Message> receive(CmqQueue queue, CmqRequest request, int most)
            throws CmqError, IOException {
        int wait = request.number(POLLING, 0, MOST_POLLING_S, queue.pollingWait());
        List<CmqQueue.Message> received = queue.receive(most, wait);
        if (received.isEmpty()) {
            throw new CmqError(CmqError.NO_MESSAGE, "(10200)no message");
        }
        return received;
    }

    private ObjectNode receiveOne(CmqQueue queue, CmqRequest request) throws CmqError, IOException {
        CmqQueue.Message message = receive(queue, request, 1).get(0);
        return fill(success(), message);
    }

    private ObjectNode receiveAll(CmqQueue queue, CmqRequest request) throws CmqError, IOException {
        int most = request.number("numOfMsg", 1, CmqQueue.LARGEST_BATCH);
        List<CmqQueue.Message> received = receive(queue, request, most);
        ObjectNode answer = success();
        ArrayNode list = answer.putArray("msgInfoList");
        received.forEach(message -> fill(list.addObject(), message));
        return answer;
    }

    private static ObjectNode fill(ObjectNode answer, CmqQueue.Message message) {
        return answer.put("msgBody", message.body())
                .put("msgId", message.id())
                .put(HANDLE, message.handle())
                .put("enqueueTime", message.enqueued() / 1_000)
                .put("firstDequeueTime", message.firstReceived() / 1_000)
                .put("nextVisibleTime", message.visibleAt() / 1_000)
                .put("dequeueCount", message.receives());
    }

    private ObjectNode delete(CmqQueue queue, CmqRequest request) throws CmqError, IOException {
        if (!queue.delete(request.text(HANDLE))) {
            throw new CmqError(CmqError.INVALID_HANDLE, "(10260)receipt handle is invalid");
        }
        return success();
    }

    private ObjectNode deleteAll(CmqQueue queue, List<String> handles) throws IOException {
        ArrayNode failed = JSON.createArrayNode();
        for (String handle : handles) {
            if (!queue.delete(handle)) {
                failed.addObject()
                        .put("code", CmqError.INVALID_HANDLE)
                        .put("message", "(10260)receipt handle is invalid")
                        .put(HANDLE, handle);
            }
        }
        if (failed.isEmpty()) {
            return success();
        }
        ObjectNode answer = failed.size() == handles.size()
                ? answer(CmqError.NONE_DELETED, "(10290)batch delete message failed")
                : answer(CmqError.SOME_NOT_DELETED, "(10150)delete message partially failed");
        answer.set("errorList", failed);
        return answer;
    }
}
