package dev.tenure.checks.samples.settings;

final class ReadsAProperty {

    private ReadsAProperty() {}

    static String home() {
        return System.getProperty("user.home", "");
    }
}
