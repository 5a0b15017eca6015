package dev.tenure.host;

import dev.tenure.core.Holder;
import dev.tenure.host.ShutdownReport.CallReport;
import dev.tenure.host.ShutdownReport.ComponentReport;
import dev.tenure.host.ShutdownReport.PhaseReport;
import dev.tenure.host.internal.JsonWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The report as programs read it. Keys are in camel case; the keys of counts are the components' own.
final class ReportJson {
    private static final List<String> TOTALS =
            List.of("admitted", "completed", "cancelled", "retained", "released", "leases");

    private ReportJson() {}

    static String of(ShutdownReport report) {
        var json = new LinkedHashMap<String, Object>();
        json.put("host", report.host());
        json.put("completion", report.completion().name());
        json.put("exitCode", report.exitCode());
        json.put("trigger", report.trigger());
        report.forcedBy().ifPresent(by -> json.put("forcedBy", by));
        json.put("elapsedMillis", report.elapsed().toMillis());
        json.put("budgetMillis", report.budget().toMillis());
        json.put("quiescent", report.quiescent());
        json.put("reconciles", report.reconciles());
        json.put("totals", totals(report));
        json.put("phases", report.phases().stream().map(ReportJson::phase).toList());
        json.put(
                "components",
                report.components().stream().map(ReportJson::component).toList());
        json.put("left", left(report.left()));
        return JsonWriter.write(json);
    }

    private static Map<String, Object> totals(ShutdownReport report) {
        var json = new LinkedHashMap<String, Object>();
        TOTALS.forEach(key -> json.put(key, report.total(key)));
        return json;
    }

    private static Map<String, Object> phase(PhaseReport phase) {
        var json = new LinkedHashMap<String, Object>();
        json.put("phase", phase.phase().name());
        json.put("elapsedMillis", phase.elapsed().toMillis());
        json.put("calls", phase.calls().stream().map(ReportJson::call).toList());
        return json;
    }

    private static Map<String, Object> call(CallReport call) {
        var json = new LinkedHashMap<String, Object>();
        json.put("component", call.component());
        json.put("outcome", call.outcome().name());
        json.put("elapsedMillis", call.elapsed().toMillis());
        json.put("summary", call.summary());
        call.joinedLate().ifPresent(late -> json.put("joinedLateMillis", late.toMillis()));
        return json;
    }

    private static Map<String, Object> component(ComponentReport part) {
        var json = new LinkedHashMap<String, Object>();
        json.put("name", part.name());
        json.put("outcome", part.outcome().name());
        json.put("forced", part.forced().name());
        json.put("counts", part.counts());
        json.put("holders", part.holders().stream().map(ReportJson::holder).toList());
        json.put("failures", part.failures());
        return json;
    }

    private static Map<String, Object> holder(Holder holder) {
        var json = new LinkedHashMap<String, Object>();
        json.put("what", holder.what());
        json.put("where", holder.where());
        json.put("ageMillis", holder.age().toMillis());
        holder.cancelledAgo().ifPresent(ago -> json.put("cancelledAgoMillis", ago.toMillis()));
        json.put(
                "stack",
                holder.stack().stream().map(StackTraceElement::toString).toList());
        return json;
    }

    private static Map<String, Object> left(ShutdownReport.Left left) {
        var json = new LinkedHashMap<String, Object>();
        json.put("resources", left.resources());
        json.put("threads", left.threads());
        json.put("temporaryFiles", left.temporaryFiles());
        return json;
    }
}
