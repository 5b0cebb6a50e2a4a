package io.dedupstore.benchmarks;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What a figure means nothing without.
 *
 * @param command that made the report
 * @param profile how much was measured
 * @param date of the run, UTC
 * @param machine cores and software
 * @param databases the settings of each
 * @param roundTrips of each contender, on the databases that are servers of this machine
 */
record Head(
        String command,
        String profile,
        String date,
        Map<String, String> machine,
        Map<Database, Map<String, String>> databases,
        Map<Database, Map<Contender, String>> roundTrips) {
    static Head of(
            String command,
            Profile profile,
            Map<Database, Map<String, String>> databases,
            Map<Database, Map<Contender, String>> roundTrips) {
        Map<String, String> machine = new LinkedHashMap<>();
        machine.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        machine.put("system", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        machine.put("Java", System.getProperty("java.vm.name") + " " + Runtime.version());
        return new Head(
                command,
                profile.name().toLowerCase(Locale.ROOT),
                LocalDate.now(ZoneOffset.UTC).toString(),
                machine,
                databases,
                roundTrips);
    }
}
