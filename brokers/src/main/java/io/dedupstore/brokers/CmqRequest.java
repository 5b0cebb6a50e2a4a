package io.dedupstore.brokers;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** A request's parameters. */
record CmqRequest(SortedMap<String, String> parameters) {
    String text(String name) throws CmqError {
        String value = parameters.get(name);
        if (value == null) {
            throw new CmqError(CmqError.BAD_REQUEST, "(10390)lacked of required parameter " + name);
        }
        return value;
    }

    int number(String name, int from, int to) throws CmqError {
        try {
            int value = Integer.parseInt(text(name));
            if (value < from || value > to) {
                throw new CmqError(
                        CmqError.BAD_REQUEST, "(10350)parameter " + name + " value or length is out of range");
            }
            return value;
        } catch (NumberFormatException e) {
            throw new CmqError(CmqError.BAD_REQUEST, "(10360)parameter " + name + " error type");
        }
    }

    int number(String name, int from, int to, int absent) throws CmqError {
        return parameters.containsKey(name) ? number(name, from, to) : absent;
    }

    /** A batch: {@code name.1}, {@code name.2} and so on. */
    List<String> batch(String name) throws CmqError {
        List<String> values = parameters.entrySet().stream()
                .filter(parameter -> parameter.getKey().startsWith(name + "."))
                .map(Map.Entry::getValue)
                .toList();
        if (values.isEmpty() || values.size() > CmqQueue.LARGEST_BATCH) {
            throw new CmqError(CmqError.BAD_REQUEST, "(10370)" + name + " parameter batch size is out of range");
        }
        return values;
    }
}
