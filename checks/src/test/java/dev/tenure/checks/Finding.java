package dev.tenure.checks;

/// One place that breaks a rule.
///
/// @param rule the rule's short name, without spaces
/// @param where the file, and the member after `#`
/// @param message numbers and what to do
record Finding(String rule, String where, String message) {

    /// What an exception names.
    String key() {
        return rule + " " + where;
    }

    @Override
    public String toString() {
        return key() + ": " + message;
    }
}
