package dev.tenure.examples.photos;

import dev.tenure.http.Handler;
import dev.tenure.http.JsonCodec;
import dev.tenure.http.Method;
import dev.tenure.http.Routes;
import dev.tenure.jackson.JacksonJson;
import dev.tenure.sim.Sim;

/// The handler that the example answers `POST /photos` with, over the parts of a sim.
public final class PhotoUpload {
    private static final JsonCodec JSON = JacksonJson.create();

    private PhotoUpload() {}

    /// Wires it as [Photos] does.
    ///
    /// @param sim the parts
    /// @return the handler
    public static Handler over(Sim sim) {
        var photos = new PhotoTable(new Feed(JSON), sim.clock());
        var intake = new Intake(sim.publisher(), sim.jobs(), sim.uploads(), photos);
        return Routes.handler(intake.upTo(new Quantities.Size(1 << 20, "1 MiB")), Method.POST, "/photos");
    }
}
