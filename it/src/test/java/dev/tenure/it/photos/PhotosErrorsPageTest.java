package dev.tenure.it.photos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.support.ui.WebDriverWait;

/// The page in a real browser shows at each file why it was refused.
class PhotosErrorsPageTest {
    private static final String TOO_LARGE = "A photo may have at most 100 KiB";

    @TempDir
    Path folder;

    @Test
    void page_refusedFiles_sayWhyAtEach() throws Exception {
        try (var photos = PhotosProcess.start(folder.resolve("data"), "--photo-limit", "100KiB")) {
            var browser = browser(folder.resolve("browser"));
            try {
                browser.get(photos.uri("/").toString());
                choose(
                        browser,
                        Files.write(folder.resolve("just too large.jpg"), new byte[(100 << 10) + 1]),
                        Files.write(folder.resolve("larger.jpg"), new byte[252_000]),
                        Files.write(folder.resolve("huge.jpg"), new byte[30 << 20]),
                        Files.writeString(folder.resolve("notes.txt"), "no picture"));
                new WebDriverWait(browser, Duration.ofSeconds(30))
                        .until(_ -> browser.findElements(By.cssSelector(".upload.failed"))
                                        .size()
                                == 4);
                screenshot(browser);
                assertThat(states(browser))
                        .containsExactlyInAnyOrder(
                                "just too large.jpg: " + TOO_LARGE,
                                "larger.jpg: " + TOO_LARGE,
                                "huge.jpg: " + TOO_LARGE,
                                "notes.txt: The file is neither a JPEG nor a PNG");
                assertThat(browser.findElements(By.cssSelector(".upload-again:not([hidden])")))
                        .as("to try again would not help")
                        .isEmpty();
            } finally {
                browser.quit();
            }
        }
    }

    private static ChromeDriver browser(Path profile) {
        var options = new ChromeOptions();
        options.setBinary("/usr/bin/chromium");
        options.addArguments("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run");
        options.addArguments("--disable-background-networking", "--disable-component-update", "--disable-sync");
        options.addArguments("--disable-dev-shm-usage", "--window-size=1200,900", "--user-data-dir=" + profile);
        var service = new ChromeDriverService.Builder()
                .usingDriverExecutable(Path.of("/usr/bin/chromedriver").toFile())
                .usingAnyFreePort()
                .build();
        return new ChromeDriver(service, options);
    }

    private static void choose(ChromeDriver browser, Path... files) {
        var names = Stream.of(files).map(Path::toString).collect(Collectors.joining("\n"));
        browser.findElement(By.id("files")).sendKeys(names);
    }

    private static List<String> states(ChromeDriver browser) {
        return browser.findElements(By.cssSelector(".upload")).stream()
                .map(card -> card.findElement(By.cssSelector(".upload-name")).getText() + ": "
                        + card.findElement(By.cssSelector(".upload-state")).getText())
                .toList();
    }

    private static void screenshot(ChromeDriver browser) throws Exception {
        var to = Files.createDirectories(Path.of("target", "screenshots")).resolve("page-refused.png");
        Files.move(browser.getScreenshotAs(OutputType.FILE).toPath(), to, StandardCopyOption.REPLACE_EXISTING);
    }
}
