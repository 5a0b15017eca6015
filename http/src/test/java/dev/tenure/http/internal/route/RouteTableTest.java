package dev.tenure.http.internal.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.http.internal.route.RouteTable.Match;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouteTableTest {
    private final RouteTable<String> table = new RouteTable<>();

    private String find(String method, String path) {
        return switch (table.find(method, path)) {
            case Match.Found<String> found -> found.target() + found.values();
            case Match.OtherMethods<String> other -> "405 " + other.allow();
            case Match.None<String> _ -> "404";
            case Match.Malformed<String> _ -> "400";
        };
    }

    @Test
    void find_theMoreSpecialRouteWins() {
        table.add("GET", "/", "root");
        table.add("GET", "/photos", "list");
        table.add("GET", "/photos/{id}", "one");
        table.add("GET", "/photos/new", "new");
        table.add("GET", "/photos/{id}/thumb", "thumb");
        table.add("GET", "/{path...}", "file");
        assertThat(find("GET", "/")).isEqualTo("root[]");
        assertThat(find("GET", "/photos")).isEqualTo("list[]");
        assertThat(find("GET", "/photos/new")).isEqualTo("new[]");
        assertThat(find("GET", "/photos/n%65w")).isEqualTo("new[]");
        assertThat(find("GET", "/photos/7")).isEqualTo("one[7]");
        assertThat(find("GET", "/photos/a%2Fb")).isEqualTo("one[a/b]");
        assertThat(find("GET", "/photos/7/thumb")).isEqualTo("thumb[7]");
        assertThat(find("GET", "/photos/7/other")).isEqualTo("file[photos/7/other]");
        assertThat(find("GET", "/photos/")).isEqualTo("file[photos/]");
        assertThat(find("HEAD", "/photos/7")).isEqualTo("one[7]");
    }

    @Test
    void find_otherMethods_areTold() {
        table.add("GET", "/a/{x}", "get");
        table.add("DELETE", "/a/{x}", "delete");
        table.add("POST", "/b", "post");
        assertThat(find("PUT", "/a/1")).isEqualTo("405 DELETE, GET, HEAD");
        assertThat(find("GET", "/b")).isEqualTo("405 POST");
        assertThat(find("GET", "/c")).isEqualTo("404");
        assertThat(find("OPTIONS", "*")).isEqualTo("404");
    }

    @ParameterizedTest
    @CsvSource({
        "/../x, 404",
        "/a/.., 404",
        "/a/%2e%2E/b, 404",
        "/.%2e, 404",
        "/., 404",
        "/%2e/a, 404",
        "/%, 400",
        "/%4, 400",
        "/%zz, 400",
        "/%u002e, 400",
        "/../%zz, 400",
        "/a/../\u00e4, 400",
        "/\u00e4, 400",
        "/%00, 404",
        "/a%0ab, 404",
        "/%7f, 404",
        "/%c0%ae, 404",
        "/%ff, 404",
        "/a%2fb, 404",
        "/%252e%252e, f[%2e%2e]",
        "/a+b, f[a+b]",
        "/a%20b%2B, f[a b+]",
        "/..., f[...]",
        "//x, f[/x]",
    })
    void find_pathsThatAreNoneOrLeadNowhere_areToldApart(String path, String expected) {
        table.add("GET", "/{path...}", "f");
        assertThat(find("GET", path)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "/a{b}", "/{a", "/{}", "/{a...}/b", "/{a}/{a}", "/{...}", "/%41", "/{a-b}"})
    void add_malformedPattern_isRefused(String pattern) {
        assertThatThrownBy(() -> table.add("GET", pattern, "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("route pattern: " + pattern)
                .hasMessageContaining("expected:");
    }

    @Test
    void add_upToTheLimits_isTaken() {
        var segments64 = "/a".repeat(64);
        var bytes4096 = "/" + "b".repeat(4_095);
        table.add("GET", segments64, "segments");
        table.add("GET", bytes4096, "bytes");
        for (int i = 2; i < 1_024; i++) {
            table.add("GET", "/" + i, "x");
        }
        assertThat(table.find("GET", segments64)).isInstanceOf(RouteTable.Match.Found.class);
        assertThat(table.find("GET", bytes4096)).isInstanceOf(RouteTable.Match.Found.class);
        assertThatThrownBy(() -> table.add("GET", "/more", "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("routes: 1025 with GET /more (expected: <= 1024)");
    }

    @Test
    void add_beyondTheLimits_isRefused() {
        assertThatThrownBy(() -> table.add("GET", "/a".repeat(65), "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(expected: <= 64 segments, not 65)");
        assertThatThrownBy(() -> table.add("GET", "/" + "b".repeat(4_096), "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("of 4097 characters (expected: <= 4096 bytes)");
        assertThatThrownBy(() -> table.add("GET", "/" + "ä".repeat(2_048), "x"))
                .hasMessageContaining("of 2049 characters (expected: <= 4096 bytes)");
    }

    @Test
    void add_theSameTwice_isRefused() {
        table.add("GET", "/a/{b}", "x");
        assertThatThrownBy(() -> table.add("GET", "/a/{c}", "y")).hasMessageContaining("/a/{b} is there already");
    }

    @Test
    void segments_keepEmptyOnes() {
        assertThat(PathText.segments("/")).isEqualTo(new PathText.Path.Segments(List.of()));
        assertThat(PathText.segments("/a//b/")).isEqualTo(new PathText.Path.Segments(List.of("a", "", "b", "")));
        assertThat(PathText.decode("a+b%C3%A4", true)).contains("a bä");
    }
}
